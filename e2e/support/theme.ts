import type { Page } from '@playwright/test';

/** Colours have a transition: a contrast measured during it belongs to neither theme. */
export async function setDark(page: Page, isDark: boolean): Promise<void> {
  await page.evaluate(async (dark) => {
    document.documentElement.classList.toggle('dark', dark);
    const changes = document.getAnimations().filter((animation) => animation instanceof CSSTransition);
    await Promise.allSettled(changes.map(({ finished }) => finished));
  }, isDark);
}

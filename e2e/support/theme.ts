import type { Page } from '@playwright/test';

/** Colours take a moment to change: a contrast measured meanwhile is that of neither theme. */
export async function setDark(page: Page, isDark: boolean): Promise<void> {
  await page.evaluate(async (dark) => {
    document.documentElement.classList.toggle('dark', dark);
    const changes = document.getAnimations().filter((animation) => animation instanceof CSSTransition);
    await Promise.allSettled(changes.map(({ finished }) => finished));
  }, isDark);
}

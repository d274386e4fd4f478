/** Rules of accessibility that the page as it stands breaks. */
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { setDark } from './theme.ts';

/** All that another theme can change. */
const COLOURS = ['color-contrast', 'link-in-text-block'];

interface Broken {
  theme: 'light' | 'dark';
  rule: string;
  html: string;
}

/** In the first of the themes every rule, in the other those about colours. */
export async function findBroken(
  page: Page,
  themes: readonly Broken['theme'][] = ['light', 'dark'],
): Promise<Broken[]> {
  const broken: Broken[] = [];
  for (const [index, theme] of themes.entries()) {
    await setDark(page, theme === 'dark');
    // In the page itself: our pages have no frames, and a page of its own for every result costs more than the search.
    const axe = new AxeBuilder({ page }).setLegacyMode().options({
      resultTypes: ['violations'],
      ...(index > 0 && { runOnly: { type: 'rule' as const, values: COLOURS } }),
    });
    const { violations } = await axe.analyze();
    broken.push(...violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => ({ theme, rule: id, html }))));
  }
  return broken;
}

/** Finds the accessibility rules that a page breaks, with axe. */
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { setDark } from './theme.ts';

/** The only rules whose result depends on the theme. */
const COLOURS = ['color-contrast', 'link-in-text-block'];

interface Broken {
  theme: 'light' | 'dark';
  rule: string;
  html: string;
}

/** Checks all rules in the first theme, and the rules about colours in the others. */
export async function findBroken(
  page: Page,
  themes: readonly Broken['theme'][] = ['light', 'dark'],
): Promise<Broken[]> {
  const broken: Broken[] = [];
  for (const [index, theme] of themes.entries()) {
    await setDark(page, theme === 'dark');
    // Otherwise axe merges the results of frames in a blank page that it opens each time, which takes longer than the
    // analysis. Our pages have no frames.
    const axe = new AxeBuilder({ page }).setLegacyMode().options({
      resultTypes: ['violations'],
      ...(index > 0 && { runOnly: { type: 'rule' as const, values: COLOURS } }),
    });
    const { violations } = await axe.analyze();
    broken.push(...violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => ({ theme, rule: id, html }))));
  }
  return broken;
}

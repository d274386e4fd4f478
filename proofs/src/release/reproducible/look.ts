/** What the page that checks itself says, in a browser that has never been here. */
import { chromium } from 'playwright-core';
import type { Browser } from 'playwright-core';

const ARGUMENTS = ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--no-first-run'];
const PATIENCE_MS = 60_000;

export interface Looker extends AsyncDisposable {
  /** `pass`, `fail`, and what its report says about it. */
  check(origin: string): Promise<{ state: string; detail: string }>;
  /** The mark on /about. */
  readMark(origin: string): Promise<string>;
}

export async function startLooker(): Promise<Looker> {
  const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ARGUMENTS });
  return {
    check: (origin) =>
      withPage(browser, async (page) => {
        await page.goto(`${origin}/test`);
        const report = page.locator('pre', { hasText: '] program' });
        await report.waitFor({ state: 'attached', timeout: PATIENCE_MS });
        const text = (await report.textContent()) ?? '';
        const [, state = '', detail = ''] = /\[(\w+)\] program(?: \((.*)\))?/.exec(text) ?? [];
        return { state, detail };
      }),
    readMark: (origin) =>
      withPage(browser, async (page) => {
        await page.goto(`${origin}/about`);
        const mark = page.locator('dd .font-mono:not(.invisible)');
        await mark.waitFor({ timeout: PATIENCE_MS });
        return (await mark.textContent()) ?? '';
      }),
    [Symbol.asyncDispose]: () => browser.close(),
  };
}

type Page = Awaited<ReturnType<Browser['newPage']>>;

async function withPage<T>(browser: Browser, task: (page: Page) => Promise<T>): Promise<T> {
  const context = await browser.newContext();
  try {
    return await task(await context.newPage());
  } finally {
    await context.close();
  }
}

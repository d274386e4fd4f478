/** What the page that checks itself says, in a browser that has never been here. */
import { chromium } from 'playwright-core';
import type { Browser } from 'playwright-core';

const ARGUMENTS = ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--no-first-run'];
const TIMEOUT_MS = 60_000;

export interface VerifyingBrowser extends AsyncDisposable {
  /** `pass`, `fail`, and what its report says about it. */
  check(origin: string): Promise<{ state: string; detail: string }>;
  /** The mark on /about. */
  readFingerprint(origin: string): Promise<string>;
}

export async function startVerifyingBrowser(): Promise<VerifyingBrowser> {
  const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ARGUMENTS });
  return {
    check: (origin) =>
      withPage(browser, async (page) => {
        await page.goto(`${origin}/test`);
        const report = page.locator('pre', { hasText: '] program' });
        await report.waitFor({ state: 'attached', timeout: TIMEOUT_MS });
        const text = (await report.textContent()) ?? '';
        const [, state = '', detail = ''] = /\[(\w+)\] program(?: \((.*)\))?/.exec(text) ?? [];
        return { state, detail };
      }),
    readFingerprint: (origin) =>
      withPage(browser, async (page) => {
        await page.goto(`${origin}/about`);
        const shownFingerprint = page.locator('dd .font-mono:not(.invisible)');
        await shownFingerprint.waitFor({ timeout: TIMEOUT_MS });
        return (await shownFingerprint.textContent()) ?? '';
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

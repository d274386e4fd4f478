/** Opens the self-check page in a new browser and reads its result. */
import { chromium } from 'playwright-core';
import type { Browser } from 'playwright-core';

const ARGUMENTS = ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--no-first-run'];
const TIMEOUT_MS = 60_000;

export interface VerifyingBrowser extends AsyncDisposable {
  /** The state (`pass` or `fail`) and the text of the report. */
  check(origin: string): Promise<{ state: string; detail: string }>;
  /** The fingerprint on /about. */
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

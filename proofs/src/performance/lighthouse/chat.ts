/** Audits the messenger itself, which only signed-in users see. */
import lighthouse, { desktopConfig, type Result } from 'lighthouse';
import { type BrowserContext, chromium, type Page } from 'playwright-core';
import { codeIn } from '@dostar/tools/emails';
import { type Inbox } from '../../harness/accounts/inbox.ts';
import { startBrowser } from './browser.ts';

const PASSWORD = 'steppe wind over grass';
const WORDS = 'Сәлем! Жексенбіде келесіңдер ме?';
/** Delays between page load and audit, one per attempt: a busy machine gets more time to draw the chat. */
const SETTLE_MS = [2_000, 10_000, 30_000];

const FORMS = ['phone', 'desk'] as const;
type Form = (typeof FORMS)[number];

interface ChatAudit {
  name: string;
  score: number;
  lacking: string[];
}

/** Two users sign up and one writes to the other; her open chat is audited as on a phone and as on a desktop. */
export async function auditChat(origin: string, inbox: Inbox): Promise<ChatAudit[]> {
  await using browserProcess = await startBrowser();
  const browser = await chromium.connectOverCDP(`http://127.0.0.1:${browserProcess.port}`);
  const own = browser.contexts()[0]!;
  const elsewhere = await browser.newContext();
  const friend = await signUp(await elsewhere.newPage(), origin, inbox, 'friend');
  const page = await own.newPage();
  await signUp(page, origin, inbox, 'dana');
  const chat = `${origin}/contacts/${friend}`;
  await page.goto(chat);
  await page.getByLabel('Message', { exact: true }).fill(WORDS);
  await page.keyboard.press('Enter');
  // A bubble appears before its message is stored: only a sent message surely survives closing the tab.
  await page.getByRole('article').filter({ hasText: WORDS }).locator('[data-status=sent]').waitFor();
  await page.close();

  const looks: ChatAudit[] = [];
  for (const form of FORMS) {
    const result = await auditOnceShown(own, browserProcess.port, chat, form);
    looks.push({
      name: `an open chat on a ${form}:`,
      score: Math.round((result.categories['accessibility']?.score ?? 0) * 100),
      lacking: listLacking(result),
    });
  }
  await browser.close();
  return looks;
}

/** Audits that cost points. */
export function listLacking({ categories, audits }: Result): string[] {
  return Object.values(categories)
    .flatMap(({ auditRefs }) => auditRefs)
    .filter(({ id, weight }) => weight > 0 && (audits[id]?.score ?? 1) < 0.9)
    .map(({ id }) => id);
}

/** Repeats an audit that ended before the chat was drawn, so that it judges the chat and not its skeleton. */
async function auditOnceShown(context: BrowserContext, port: number, url: string, form: Form): Promise<Result> {
  for (const settleMs of SETTLE_MS) {
    const [result, isShown] = await Promise.all([look(port, url, form, settleMs), wasShown(context)]);
    if (isShown) return result;
  }
  throw new Error('the chat was never shown');
}

/** Keeps the browser's storage: without it the page would be the sign-in page. */
async function look(port: number, url: string, form: Form, settleMs: number): Promise<Result> {
  const result = await lighthouse(
    url,
    {
      port,
      logLevel: 'error',
      onlyCategories: ['accessibility'],
      disableStorageReset: true,
      throttlingMethod: 'provided',
      pauseAfterLoadMs: settleMs,
    },
    form === 'desk' ? desktopConfig : undefined,
  );
  if (!result) throw new Error(`Lighthouse said nothing about ${url}`);
  return result.lhr;
}

/** Whether the tab that Lighthouse opens and closes has shown the chat. */
async function wasShown(context: BrowserContext): Promise<boolean> {
  const page = await context.waitForEvent('page');
  const words = page.getByRole('article').filter({ hasText: WORDS });
  return words.waitFor({ timeout: 60_000 }).then(
    () => true,
    () => false,
  );
}

/** Returns the username. */
async function signUp(page: Page, origin: string, inbox: Inbox, name: string): Promise<string> {
  const email = `${name}-${Date.now().toString(36)}@example.org`;
  await page.goto(`${origin}/sign-up`);
  await page.getByLabel('Email', { exact: true }).fill(email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByLabel('Confirm password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Get code' }).click();
  await page.waitForURL(/\/confirm-code$/);
  const code = codeIn(await inbox.waitForEmail(email));
  await page.getByRole('group', { name: 'Code from the email' }).getByRole('textbox').first().click();
  await page.keyboard.type(code);
  await page.waitForURL(/\/profile$/);
  const username = await page.waitForFunction(() => {
    const values = Object.keys(localStorage).map((key) => localStorage.getItem(key) ?? '');
    const text = values.find((value) => value.includes('"username":"'));
    return text && (JSON.parse(text) as { username?: string }).username;
  });
  return String(await username.jsonValue());
}

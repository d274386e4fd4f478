/** The emails of test users, in the real mail catcher. */
import { join, resolve } from 'node:path';
import { codeIn, listEmails, type ReceivedEmail } from '@dostar/tools/emails';
import { freePort, startMailCatcher, waitFor } from '@dostar/tools/servers';

const root = resolve(import.meta.dirname, '../..');
/** How many emails are kept: each query reads all of them, and those of finished tests are not needed. */
const KEPT = 100;

export interface Inbox {
  smtpUrl: string;
  webUrl: string;
  /** The newest email to an address, once there are `count`. */
  waitForEmail(to: string, count?: number): Promise<ReceivedEmail>;
  /** The newest email to an address with these words in its subject. */
  waitForSubject(to: string, subject: string): Promise<ReceivedEmail>;
  /** The newest code in an email, once `count` emails with codes have arrived. Emails without codes do not count. */
  waitForCode(to: string, count?: number): Promise<string>;
}

export async function startInbox(): Promise<Inbox & AsyncDisposable> {
  // The catcher reads and deletes all files in its folder.
  const dir = join(root, '.dev/e2e-mail', String(process.pid));
  const mail = await startMailCatcher({ dir, smtpPort: await freePort(), webPort: await freePort(), maxEmails: KEPT });
  return { ...openInbox(mail), [Symbol.asyncDispose]: () => mail[Symbol.asyncDispose]() };
}

export function openInbox({ smtpUrl, webUrl }: Pick<Inbox, 'smtpUrl' | 'webUrl'>): Inbox {
  async function wait(to: string, count: number, isWanted: (email: ReceivedEmail) => boolean): Promise<ReceivedEmail> {
    const found = await waitFor(
      async () => {
        const own = (await listEmails(webUrl, to)).filter(isWanted);
        return own.length >= count && own.at(-1);
      },
      { what: `email ${count} to ${to}`, everyMs: 50 },
    );
    return found as ReceivedEmail;
  }

  return {
    smtpUrl,
    webUrl,
    waitForEmail: (to, count = 1) => wait(to, count, () => true),
    waitForSubject: (to, words) => wait(to, 1, ({ subject }) => subject.includes(words)),
    waitForCode: async (to, count = 1) => codeIn(await wait(to, count, ({ subject }) => subject.endsWith(' code'))),
  };
}

/** The path of the link in an email, with its token. */
export function linkIn(email: { text: string }): string {
  return /https?:\/\/[^/\s]+(\/\S+#[\w-]{43})/.exec(email.text)?.[1] ?? '';
}

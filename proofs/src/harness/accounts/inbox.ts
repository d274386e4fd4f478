/** The mailboxes of all users: the real mail catcher. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { freePort, startMailCatcher, waitFor } from '@dostar/tools/servers';
import { REPO_ROOT } from '../lib/engines.ts';

interface ReceivedEmail {
  to: { address: string }[];
  subject: string;
  text: string;
  html: string;
  time: string;
}

export interface Inbox extends AsyncDisposable {
  smtpUrl: string;
  listEmails(to: string): Promise<ReceivedEmail[]>;
  /** The newest email to an address, once there are `count`. */
  waitForEmail(to: string, count?: number): Promise<ReceivedEmail>;
}

export async function startInbox(proof: string): Promise<Inbox> {
  const dir = join(REPO_ROOT, '.dev/proofs', proof, 'mail');
  rmSync(dir, { recursive: true, force: true });
  const mail = await startMailCatcher({ dir, smtpPort: await freePort(), webPort: await freePort() });

  async function listEmails(to: string): Promise<ReceivedEmail[]> {
    const emails = (await (await fetch(`${mail.webUrl}/api/email`)).json()) as ReceivedEmail[];
    return emails
      .filter((email) => email.to.some(({ address }) => address === to))
      .toSorted((one, other) => one.time.localeCompare(other.time));
  }

  return {
    smtpUrl: mail.smtpUrl,
    listEmails,
    async waitForEmail(to, count = 1) {
      const find = async (): Promise<boolean> => (await listEmails(to)).length >= count;
      await waitFor(find, { what: `email ${count} to ${to}`, timeoutMs: 30_000, everyMs: 100 });
      return (await listEmails(to)).at(-1)!;
    },
    [Symbol.asyncDispose]: () => mail[Symbol.asyncDispose](),
  };
}

export function codeIn({ text }: { text: string }): string {
  return /\b\d{6}\b/.exec(text)?.[0] ?? '';
}

/** The mailboxes of all users, in the real mail catcher. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { listEmails, type ReceivedEmail } from '@dostar/tools/emails';
import { freePort, startMailCatcher, waitFor } from '@dostar/tools/servers';
import { REPO_ROOT } from '../lib/engines.ts';

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

  const list = (to: string): Promise<ReceivedEmail[]> => listEmails(mail.webUrl, to);
  return {
    smtpUrl: mail.smtpUrl,
    listEmails: list,
    async waitForEmail(to, count = 1) {
      const find = async (): Promise<boolean> => (await list(to)).length >= count;
      await waitFor(find, { what: `email ${count} to ${to}`, timeoutMs: 30_000, everyMs: 100 });
      return (await list(to)).at(-1)!;
    },
    [Symbol.asyncDispose]: () => mail[Symbol.asyncDispose](),
  };
}

/** A person's letter box: the real mail catcher, read over HTTP. */
import { join, resolve } from 'node:path';
import { freePort, startMail, waitFor } from '@dostar/tools/servers';

const root = resolve(import.meta.dirname, '../..');

interface Letter {
  to: { address: string }[];
  subject: string;
  text: string;
  time: string;
}

export interface Post extends AsyncDisposable {
  smtpUrl: string;
  /** The newest letter to an address, once there are `count`. */
  waitForLetter(to: string, count?: number): Promise<Letter>;
}

export async function startPost(): Promise<Post> {
  const dir = join(root, '.dev/e2e-mail');
  const mail = await startMail({ dir, smtpPort: await freePort(), webPort: await freePort() });
  return {
    smtpUrl: mail.smtpUrl,
    waitForLetter: (to, count = 1) =>
      waitFor(
        async () => {
          const letters = (await (await fetch(`${mail.webUrl}/api/email`)).json()) as Letter[];
          const own = letters.filter((letter) => letter.to.some(({ address }) => address === to));
          return own.length >= count && own.toSorted((one, other) => one.time.localeCompare(other.time)).at(-1);
        },
        { what: `letter ${count} to ${to}`, timeoutMs: 20_000 },
      ) as Promise<Letter>,
    [Symbol.asyncDispose]: () => mail[Symbol.asyncDispose](),
  };
}

export function codeIn(letter: { text: string }): string {
  return /\b\d{6}\b/.exec(letter.text)?.[0] ?? '';
}

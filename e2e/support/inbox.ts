/** A person's inbox: the real mail catcher, read over HTTP. */
import { join, resolve } from 'node:path';
import { freePort, startMail, waitFor } from '@dostar/tools/servers';

const root = resolve(import.meta.dirname, '../..');
/** Each look reads all of them; those of tests that have ended are of no use. */
const KEPT = 100;

interface Letter {
  to: { address: string }[];
  subject: string;
  text: string;
  time: string;
}

export interface Post {
  smtpUrl: string;
  webUrl: string;
  /** The newest letter to an address, once there are `count`. */
  waitForLetter(to: string, count?: number): Promise<Letter>;
  /** The newest letter to an address with these words in its subject. */
  waitForSubject(to: string, subject: string): Promise<Letter>;
  /** The code of the newest letter that has one, once there are `count` of those; notices do not count. */
  waitForCode(to: string, count?: number): Promise<string>;
}

export async function startPost(): Promise<Post & AsyncDisposable> {
  // A catcher reads, and throws away, whatever lies in its folder.
  const dir = join(root, '.dev/e2e-mail', String(process.pid));
  const mail = await startMail({ dir, smtpPort: await freePort(), webPort: await freePort(), keeps: KEPT });
  return { ...openPost(mail), [Symbol.asyncDispose]: () => mail[Symbol.asyncDispose]() };
}

export function openPost({ smtpUrl, webUrl }: Pick<Post, 'smtpUrl' | 'webUrl'>): Post {
  async function wait(to: string, count: number, isWanted: (letter: Letter) => boolean): Promise<Letter> {
    const found = await waitFor(
      async () => {
        const letters = (await (await fetch(`${webUrl}/api/email`)).json()) as Letter[];
        const own = letters.filter((letter) => letter.to.some(({ address }) => address === to) && isWanted(letter));
        return own.length >= count && own.toSorted((one, other) => one.time.localeCompare(other.time)).at(-1);
      },
      { what: `letter ${count} to ${to}`, everyMs: 50 },
    );
    return found as Letter;
  }

  return {
    smtpUrl,
    webUrl,
    waitForLetter: (to, count = 1) => wait(to, count, () => true),
    waitForSubject: (to, words) => wait(to, 1, ({ subject }) => subject.includes(words)),
    waitForCode: async (to, count = 1) => codeIn(await wait(to, count, ({ subject }) => subject.endsWith(' code'))),
  };
}

/** The path of the button in a letter, with its token. */
export function linkIn(letter: { text: string }): string {
  return /https?:\/\/[^/\s]+(\/\S+#[\w-]{43})/.exec(letter.text)?.[1] ?? '';
}

export function codeIn(letter: { text: string }): string {
  return /\b\d{6}\b/.exec(letter.text)?.[0] ?? '';
}

/** Everybody's letter box: the real mail catcher. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { freePort, startMail, waitFor } from '@dostar/tools/servers';
import { REPO_ROOT } from '../lib/engines.ts';

interface Letter {
  to: { address: string }[];
  subject: string;
  text: string;
  html: string;
  time: string;
}

export interface Post extends AsyncDisposable {
  smtpUrl: string;
  listLetters(to: string): Promise<Letter[]>;
  /** The newest letter to an address, once there are `count`. */
  waitForLetter(to: string, count?: number): Promise<Letter>;
}

export async function startPost(proof: string): Promise<Post> {
  const dir = join(REPO_ROOT, '.dev/proofs', proof, 'mail');
  rmSync(dir, { recursive: true, force: true });
  const mail = await startMail({ dir, smtpPort: await freePort(), webPort: await freePort() });

  async function listLetters(to: string): Promise<Letter[]> {
    const letters = (await (await fetch(`${mail.webUrl}/api/email`)).json()) as Letter[];
    return letters
      .filter((letter) => letter.to.some(({ address }) => address === to))
      .toSorted((one, other) => one.time.localeCompare(other.time));
  }

  return {
    smtpUrl: mail.smtpUrl,
    listLetters,
    async waitForLetter(to, count = 1) {
      const find = async (): Promise<boolean> => (await listLetters(to)).length >= count;
      await waitFor(find, { what: `letter ${count} to ${to}`, timeoutMs: 30_000, everyMs: 100 });
      return (await listLetters(to)).at(-1)!;
    },
    [Symbol.asyncDispose]: () => mail[Symbol.asyncDispose](),
  };
}

export function codeIn({ text }: { text: string }): string {
  return /\b\d{6}\b/.exec(text)?.[0] ?? '';
}

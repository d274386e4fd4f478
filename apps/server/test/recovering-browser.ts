/** The browser of a user who forgot the password, or of an attacker who claims so. */
import * as opaque from '@serenity-kit/opaque';
import * as recovery from '@dostar/protocol/contract/recovery';
import * as accountUnlock from '@dostar/protocol/contract/account-unlock';
import { expect } from 'vitest';
import { keyStretching, makeRecord, TestBrowser } from './browser.ts';
import type { SmtpPeer } from './smtp-peer.ts';
import type { Answer } from './test-cluster.ts';

export class RecoveringBrowser extends TestBrowser {
  async resetPassword(token: string, password: string): Promise<Answer> {
    const made = await makeRecord(password, (request) => this.call(recovery.startPasswordReset, { token, request }));
    if (!('record' in made)) return made;
    return this.call(recovery.finishPasswordReset, { token, ...made });
  }

  async proveOldPassword(password: string): Promise<{ login: string; finish: string } | undefined> {
    const { clientLoginState, startLoginRequest: request } = opaque.client.startLogin({ password });
    const started = await this.call(accountUnlock.startOldPasswordCheck, { request });
    if (started.status !== 200) return undefined;
    const { response: loginResponse, login } = started.body;
    const proof = opaque.client.finishLogin({ clientLoginState, loginResponse, password, keyStretching });
    return proof && { login, finish: proof.finishLoginRequest };
  }
}

/** The token in the newest email, once `count` emails with tokens have arrived. */
export async function tokenIn(smtp: SmtpPeer, email: string, count = 1): Promise<string> {
  const find = (): string[] =>
    smtp.emails
      .filter((message) => message.to.includes(email))
      .flatMap(({ raw }) => /(?:reset-password|verify)#([\w-]{43})/.exec(raw.replaceAll('=\r\n', ''))?.[1] ?? []);
  await expect.poll(() => find().length).toBe(count);
  return find().at(-1)!;
}

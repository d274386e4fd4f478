/** A headless browser of a person, with cookies and the real OPAQUE. */
import * as opaque from '@serenity-kit/opaque';
import * as accounts from '@dostar/protocol/contract/accounts';
import { ANY_ACCOUNT, CALL_HEADER } from '@dostar/protocol/contract/endpoint';
import type { Endpoint } from '@dostar/protocol/contract/endpoint';
import * as passwords from '@dostar/protocol/contract/passwords';
import * as reauthentication from '@dostar/protocol/contract/reauthentication';
import * as users from '@dostar/protocol/contract/users';
import { expect } from 'vitest';
import type { z } from 'zod';
import type { SmtpPeer } from './smtp-peer.ts';
import type { Answer } from './test-cluster.ts';

/** Cheap stretching, because these tests are not about the cost of a guess. */
export const keyStretching = { 'argon2id-custom': { memory: 8, iterations: 1, parallelism: 1 } };

/** The record of a new password, or the answer of a server that refuses to begin with one. */
export async function makeRecord(
  password: string,
  start: (request: string) => Promise<Answer>,
): Promise<{ record: string; setup?: string } | Answer> {
  const { clientRegistrationState, registrationRequest } = opaque.client.startRegistration({ password });
  const started = await start(registrationRequest);
  if (started.status !== 200) return started;
  const registrationResponse = started.body.response;
  const options = { password, clientRegistrationState, registrationResponse, keyStretching };
  const record = opaque.client.finishRegistration(options).registrationRecord;
  return { record, ...(started.body.setup && { setup: started.body.setup as string }) };
}

type PasswordChange = Pick<z.input<(typeof passwords.finishPasswordChange)['body']>, 'endOthers' | 'renewal'>;

/** A browser that keeps its cookies. */
export class TestBrowser {
  readonly cookies = new Map<string, string>();
  readonly #url: string;
  readonly #smtp: SmtpPeer;

  constructor(url: string, smtp: SmtpPeer) {
    this.#url = url;
    this.#smtp = smtp;
  }

  async call<E extends Endpoint>(endpoint: E, body?: z.input<E['body']>): Promise<Answer> {
    const reply = await fetch(new URL(endpoint.path, this.#url), {
      method: endpoint.method,
      headers: {
        [CALL_HEADER]: ANY_ACCOUNT,
        cookie: [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    for (const line of reply.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!;
      if (value === '') this.cookies.delete(name!);
      else this.cookies.set(name!, value!);
    }
    return { status: reply.status, body: await reply.json() };
  }

  async beginSignUp(email: string, password = 'correct horse', invite?: string): Promise<Answer> {
    const made = await makeRecord(password, (request) =>
      this.call(accounts.startSignUp, { email, locale: 'en', request, invite }),
    );
    if (!('record' in made)) return made;
    const { record } = made;
    const wrap = { method: 'password', params: 'test', blob: 'AAAA' } as const;
    await this.call(accounts.recordSignUp, { record, wrap });
    return this.call(accounts.sendCode, { email });
  }

  async complete(): Promise<Answer> {
    const made = await this.call(accounts.createAccount, {});
    const { userId } = made.body;
    await this.call(accounts.verifyUser, { userId });
    await this.call(accounts.startFirstSession, {});
    await this.call(users.storeUser, { userId });
    return this.call(users.updateUser, { documentId: userId, data: {} });
  }

  async signUp(email: string, password?: string, invite?: string): Promise<Answer> {
    await this.beginSignUp(email, password, invite);
    await this.call(accounts.verifyCode, { email, code: await readCode(this.#smtp, email) });
    return this.complete();
  }

  signIn(email: string, password = 'correct horse'): Promise<Answer> {
    return this.#show(
      password,
      (request) => this.call(passwords.startLogin, { email, request }),
      (finished) => this.call(passwords.finishLogin, finished),
    );
  }

  /** Re-authentication by password. */
  prove(password = 'correct horse'): Promise<Answer> {
    return this.#show(
      password,
      (request) => this.call(reauthentication.startPasswordReauthentication, { request }),
      (finished) => this.call(reauthentication.finishPasswordReauthentication, finished),
    );
  }

  async changePassword(password: string, rest: PasswordChange): Promise<Answer> {
    const made = await makeRecord(password, (request) => this.call(passwords.startPasswordChange, { request }));
    if (!('record' in made)) return made;
    const wrap = { method: 'password', params: 'test', blob: 'GGGG' } as const;
    return this.call(passwords.finishPasswordChange, { ...made, wrap, ...rest });
  }

  async #show(
    password: string,
    start: (request: string) => Promise<Answer>,
    finish: (finished: { login: string; finish: string }) => Promise<Answer>,
  ): Promise<Answer> {
    const { clientLoginState, startLoginRequest } = opaque.client.startLogin({ password });
    const started = await start(startLoginRequest);
    if (started.status !== 200) return started;
    const { response: loginResponse, login } = started.body;
    const proof = opaque.client.finishLogin({ clientLoginState, loginResponse, password, keyStretching });
    if (!proof) return { status: 0, body: { error: 'refused by the browser' } };
    return finish({ login, finish: proof.finishLoginRequest });
  }
}

/** The newest code emailed to an address. */
export async function readCode(smtp: SmtpPeer, email: string): Promise<string> {
  const find = () => smtp.emails.findLast((message) => message.to.includes(email));
  await expect.poll(find).toBeDefined();
  return /\b(\d{6})\b/.exec(find()!.raw.slice(find()!.raw.indexOf('\r\n\r\n')))![1]!;
}

let people = 0;
export function newEmail(): string {
  people += 1;
  return `person${people}-${Math.random().toString(36).slice(2, 8)}@example.org`;
}

/** A user with a browser that stores cookies, a mailbox, and the real OPAQUE. */
import * as accounts from '@dostar/protocol/contract/accounts';
import { ANY_ACCOUNT, CALL_HEADER } from '@dostar/protocol/contract/endpoint';
import type { Endpoint } from '@dostar/protocol/contract/endpoint';
import * as passwords from '@dostar/protocol/contract/passwords';
import * as reauthentication from '@dostar/protocol/contract/reauthentication';
import { SESSION_COOKIE } from '@dostar/protocol/contract/sessions';
import * as users from '@dostar/protocol/contract/users';
import * as opaque from '@serenity-kit/opaque';
import { expect } from 'vitest';
import type { z } from 'zod';
import type { SmtpPeer } from './smtp-peer.ts';
import type { Answer } from './test-cluster.ts';

/** Cheap stretching, because these tests are not about the cost of a guess. */
const keyStretching = { 'argon2id-custom': { memory: 8, iterations: 1, parallelism: 1 } };
const PASSWORD = 'correct horse';

let people = 0;

export class Person {
  readonly email = `person${(people += 1)}-${Math.random().toString(36).slice(2, 8)}@example.org`;
  readonly cookies = new Map<string, string>();
  readonly #url: string;
  readonly #smtp: SmtpPeer;

  constructor(url: string, smtp: SmtpPeer) {
    this.#url = url;
    this.#smtp = smtp;
  }

  /** `url`: another server process of the cluster. */
  async call<E extends Endpoint>(endpoint: E, body?: z.input<E['body']>, url = this.#url): Promise<Answer> {
    const reply = await fetch(new URL(endpoint.path, url), {
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

  get token(): string {
    return this.cookies.get(SESSION_COOKIE) ?? '';
  }

  /** The newest code, once at least `count` emails with codes have arrived. */
  async readCode(count = 1): Promise<string> {
    const own = () =>
      this.#smtp.emails.filter(
        (message) => message.to.includes(this.email) && /^Subject: .* code\r?$/m.test(message.raw),
      );
    await expect.poll(() => own().length).toBeGreaterThanOrEqual(count);
    const { raw } = own().at(-1)!;
    return /\b(\d{6})\b/.exec(raw.slice(raw.indexOf('\r\n\r\n')))![1]!;
  }

  /** Subjects of all emails to this user. */
  listSubjects(): string[] {
    return this.#smtp.emails
      .filter((message) => message.to.includes(this.email))
      .map(({ raw }) => /^Subject: (.*?)\r?$/m.exec(raw)?.[1] ?? '');
  }

  countEmails(): number {
    return this.#smtp.emails.filter((message) => message.to.includes(this.email)).length;
  }

  async signUp(): Promise<Answer> {
    const { email } = this;
    const started = opaque.client.startRegistration({ password: PASSWORD });
    const request = started.registrationRequest;
    const answer = await this.call(accounts.startSignUp, { email, locale: 'en', request });
    const { registrationRecord: record } = opaque.client.finishRegistration({
      password: PASSWORD,
      clientRegistrationState: started.clientRegistrationState,
      registrationResponse: answer.body.response,
      keyStretching,
    });
    await this.call(accounts.recordSignUp, { record, wrap: { method: 'password', params: 'test', blob: 'AAAA' } });
    await this.call(accounts.sendCode, { email });
    await this.call(accounts.verifyCode, { email, code: await this.readCode() });
    const { userId } = (await this.call(accounts.createAccount, {})).body;
    await this.call(accounts.verifyUser, { userId });
    await this.call(accounts.startFirstSession, {});
    await this.call(users.storeUser, { userId });
    return this.call(users.updateUser, { documentId: userId, data: {} });
  }

  async signIn(password = PASSWORD): Promise<Answer> {
    const { email } = this;
    const started = this.#startLogin(password);
    const answer = await this.call(passwords.startLogin, { email, request: started.request });
    if (answer.status !== 200) return answer;
    const finish = started.finish(answer.body.response);
    if (finish === undefined) return { status: 0, body: { error: 'refused by the browser' } };
    return this.call(passwords.finishLogin, { login: answer.body.login, finish });
  }

  /** Re-authentication by password. */
  async prove(password = PASSWORD): Promise<Answer> {
    const started = this.#startLogin(password);
    const answer = await this.call(reauthentication.startPasswordReauthentication, { request: started.request });
    if (answer.status !== 200) return answer;
    const finish = started.finish(answer.body.response);
    if (finish === undefined) return { status: 0, body: { error: 'refused by the browser' } };
    return this.call(reauthentication.finishPasswordReauthentication, { login: answer.body.login, finish });
  }

  #startLogin(password: string) {
    const { clientLoginState, startLoginRequest: request } = opaque.client.startLogin({ password });
    return {
      request,
      finish: (loginResponse: string) =>
        opaque.client.finishLogin({ clientLoginState, loginResponse, password, keyStretching })?.finishLoginRequest,
    };
  }
}

/** A headless browser that signs in with Google. */
import * as opaque from '@serenity-kit/opaque';
import * as accounts from '@dostar/protocol/contract/accounts';
import { CALL_HEADER } from '@dostar/protocol/contract/endpoint';
import type { Endpoint } from '@dostar/protocol/contract/endpoint';
import * as google from '@dostar/protocol/contract/google';
import * as passwords from '@dostar/protocol/contract/passwords';
import * as users from '@dostar/protocol/contract/users';
import { expect } from 'vitest';
import type { z } from 'zod';
import { keyStretching, makeRecord } from './browser.ts';
import { ORIGIN } from './test-cluster.ts';
import type { Answer } from './test-cluster.ts';

const wrap = { method: 'password', params: 'test', blob: 'AAAA' } as const;

interface Sent {
  method?: string;
  body?: string | URLSearchParams;
  headers?: Record<string, string>;
}

class Jar {
  readonly cookies = new Map<string, string>();

  async fetch(url: URL | string, init: Sent = {}): Promise<Response> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const reply = await fetch(url, { ...init, redirect: 'manual', headers: { ...init.headers, cookie } });
    for (const line of reply.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!;
      if (value === '') this.cookies.delete(name!);
      else this.cookies.set(name!, value!);
    }
    return reply;
  }
}

/** A browser with separate cookies for our server and the provider. */
export class GoogleBrowser {
  readonly ours = new Jar();
  readonly theirs = new Jar();
  readonly #url: string;

  constructor(url: string) {
    this.#url = url;
  }

  async call<E extends Endpoint>(endpoint: E, body?: z.input<E['body']>): Promise<Answer> {
    const reply = await this.ours.fetch(new URL(endpoint.path, this.#url), {
      method: endpoint.method,
      headers: { [CALL_HEADER]: '1', ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return { status: reply.status, body: await reply.json() };
  }

  /** Returns the URL to which the provider redirects the browser. For `cancel` the user declines. */
  async visitProvider(email: string, start: z.input<typeof google.startGoogle.body>): Promise<string> {
    const { body } = await this.call(google.startGoogle, start);
    let next: string = body.url;
    for (let steps = 0; steps < 8 && !next.startsWith(ORIGIN); steps += 1) {
      const isForm = next.includes('/interaction/');
      const form = new URLSearchParams(email === 'cancel' ? { action: 'cancel' } : { email, action: 'continue' });
      const reply = await this.theirs.fetch(next, isForm ? { method: 'POST', body: form } : {});
      next = new URL(reply.headers.get('location') ?? '', next).href;
    }
    return next;
  }

  /** Returns the URL to which our server redirects. */
  async comeBack(returned: string): Promise<string> {
    const { pathname, search } = new URL(returned);
    const reply = await this.ours.fetch(new URL(pathname + search, this.#url));
    expect(reply.status).toBe(303);
    return (reply.headers.get('location') ?? '').replace(ORIGIN, '');
  }

  async google(email: string, start: z.input<typeof google.startGoogle.body> = { locale: 'en' }): Promise<string> {
    return this.comeBack(await this.visitProvider(email, start));
  }

  async choosePassword(password = 'correct horse'): Promise<Answer> {
    const made = await makeRecord(password, (request) => this.call(google.startGooglePassword, { request }));
    if (!('record' in made)) return made;
    const { record } = made;
    return this.call(accounts.recordSignUp, { record, wrap });
  }

  async complete(): Promise<Answer> {
    const made = await this.call(accounts.createAccount, {});
    if (made.status !== 200) return made;
    const { userId } = made.body;
    await this.call(accounts.verifyUser, { userId });
    await this.call(accounts.startFirstSession, {});
    await this.call(users.storeUser, { userId });
    return this.call(users.updateUser, { documentId: userId, data: {} });
  }

  async signUp(email: string, password?: string): Promise<Answer> {
    await this.google(email);
    await this.choosePassword(password);
    return this.complete();
  }

  async signIn(email: string, password: string): Promise<Answer> {
    const { clientLoginState, startLoginRequest: request } = opaque.client.startLogin({ password });
    const started = await this.call(passwords.startLogin, { email, request });
    if (started.status !== 200) return started;
    const { response: loginResponse, login } = started.body;
    const proof = opaque.client.finishLogin({ clientLoginState, loginResponse, password, keyStretching });
    if (!proof) return { status: 0, body: {} };
    return this.call(passwords.finishLogin, { login, finish: proof.finishLoginRequest });
  }
}

let people = 0;
export function newEmail(name = 'person'): string {
  people += 1;
  return `${name}${people}-${Math.random().toString(36).slice(2, 8)}@example.org`;
}

/** A browser without a screen: the real sign-up and sign-in code of the client over HTTP, with cookies and keys in memory. */
import { randomBytes, randomInt, randomUUID } from 'node:crypto';
import { createAuth } from '@dostar/client/auth';
import type { Auth, AuthDeps } from '@dostar/client/auth';
import type { KeyStore } from '@dostar/client/key-store';
import { createOpaqueClient } from '@dostar/client/opaque';
import type { OpaqueClient } from '@dostar/client/opaque';
import { ANY_ACCOUNT, CALL_HEADER } from '@dostar/protocol/contract/endpoint';
import type { Endpoint } from '@dostar/protocol/contract/endpoint';
import { AppError } from '@dostar/protocol/errors';
import type { z } from 'zod';

const opaque = createOpaqueClient();

/** The same as in `@dostar/server/testing`, without loading the whole server. */
export const TEST_ORIGIN = 'http://localhost:5173';

export interface BrowserOptions {
  /** Calls go to these servers in turn. */
  urls: string[];
  /** The origin that the server expects; that of tests if missing. */
  origin?: string;
  /** IP address of its network. */
  address?: string;
  opaque?: OpaqueClient;
  userAgent?: string;
  /** Called before each call is sent. */
  onCall?: (url: URL) => void;
}

export class Browser {
  readonly cookies = new Map<string, string>();
  readonly keys = createMemoryKeyStore();
  /** Tests change it to simulate another network. */
  address: string;
  /** For parts of the client that this class does not wrap. */
  readonly deps: AuthDeps;
  readonly auth: Auth;
  urls: string[];
  readonly #origin: string;
  readonly #onCall: (url: URL) => void;
  readonly #userAgent: string;
  #turn = 0;

  constructor(options: BrowserOptions) {
    this.urls = options.urls;
    this.#origin = options.origin ?? TEST_ORIGIN;
    this.address = options.address ?? randomAddress();
    this.#onCall = options.onCall ?? (() => {});
    this.#userAgent = options.userAgent ?? 'a browser of the proof';
    this.deps = {
      baseUrl: this.#origin,
      fetch: (input, init) => this.fetch(new URL(input instanceof Request ? input.url : input), init),
      log: () => {},
      random: (size) => new Uint8Array(randomBytes(size)),
      opaque: options.opaque ?? opaque,
      keys: this.keys,
    };
    this.auth = createAuth(this.deps);
  }

  /** As a browser does: sends our origin and cookies, and stores those of the response. */
  async fetch(asked: URL, init: RequestInit = {}): Promise<Response> {
    const url = new URL(asked.pathname + asked.search, this.urls[this.#turn++ % this.urls.length]);
    this.#onCall(url);
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const reply = await fetch(url, {
      ...init,
      redirect: 'manual',
      headers: {
        origin: this.#origin,
        'x-forwarded-for': this.address,
        'user-agent': this.#userAgent,
        ...(cookie !== '' && { cookie }),
        ...(init.headers as Record<string, string>),
      },
    });
    for (const line of reply.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === '') this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    return reply;
  }

  /** Makes one call of the contract and throws its failure. */
  async call<E extends Endpoint>(endpoint: E, body?: z.input<E['body']>): Promise<z.output<E['reply']>> {
    const reply = await this.fetch(new URL(endpoint.path, this.#origin), {
      method: endpoint.method,
      headers: { [CALL_HEADER]: ANY_ACCOUNT, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const answer = (await reply.json()) as { error?: AppError['code'] };
    if (!reply.ok) throw new AppError(answer.error ?? 'internal');
    return endpoint.reply.parse(answer) as z.output<E['reply']>;
  }

  /** Returns the code of the failure, or undefined. */
  async try(task: () => Promise<unknown>): Promise<string | undefined> {
    try {
      await task();
      return undefined;
    } catch (error) {
      return error instanceof AppError ? error.code : String(error);
    }
  }
}

interface MemoryKeyStore extends KeyStore {
  /** All keys that were ever stored here. */
  kept: Uint8Array[];
}

function createMemoryKeyStore(): MemoryKeyStore {
  const keys = new Map<string, Uint8Array<ArrayBuffer>>();
  const held = new Map<string, Uint8Array<ArrayBuffer>>();
  const kept: Uint8Array[] = [];
  return {
    kept,
    async put(account, key) {
      kept.push(key);
      keys.set(account, key);
    },
    get: async (account) => keys.get(account),
    async delete(account) {
      keys.delete(account);
    },
    async storePendingSecret(account, secret) {
      kept.push(secret);
      held.set(account, secret);
    },
    async takePendingSecret(account) {
      const secret = held.get(account);
      held.delete(account);
      return secret;
    },
  };
}

export function newEmail(): string {
  return `${randomUUID()}@proof.example`;
}

export function randomAddress(): string {
  return `10.${randomInt(256)}.${randomInt(256)}.${randomInt(1, 255)}`;
}

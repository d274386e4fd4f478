/**
 * A whole server on its own directory and two shards, for tests.
 *
 * Only the clock may be faked. Engines are real and shared; each cluster has its own databases.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CALL_HEADER } from '@dostar/protocol/contract/endpoint';
import type { Endpoint } from '@dostar/protocol/contract/endpoint';
import { uploadSigningKeys } from '@dostar/protocol/contract/device-keys';
import * as contract from '@dostar/protocol/contract/messages';
import { SESSION_COOKIE } from '@dostar/protocol/contract/sessions';
import { updateUser } from '@dostar/protocol/contract/users';
import { AccountId } from '@dostar/protocol/ids';
import type { DeviceId, MessageId } from '@dostar/protocol/ids';
import type { Cursor, Entry } from '@dostar/protocol/mailbox';
import { userOf } from '@dostar/protocol/matrix-ids';
import { REALTIME_PATH, REALTIME_VERSION } from '@dostar/protocol/realtime';
import type { ClientFrame, ServerFrame } from '@dostar/protocol/realtime';
import { WebSocket } from 'ws';
import type { z } from 'zod';
import { readConfig } from '../src/config.ts';
import type { Config } from '../src/config.ts';
import type { Context } from '../src/context.ts';
import { createAccount } from '../src/features/identity/accounts/service.ts';
import { setContact } from '../src/features/people/contacts/service.ts';
import { listSince } from '../src/features/messaging/mailbox/service.ts';
import { startSession } from '../src/features/identity/sessions/service.ts';
import { createLog } from '../src/platform/observability/log.ts';
import { startServer } from '../src/server.ts';
import type { RunningServer } from '../src/server.ts';
import { createDatabases, dropDatabases, nextName } from './databases.ts';
import { asRole, restrict, SERVER_ROLE } from './restrict.ts';
import { makeSecrets } from './make-secrets.ts';
import { serverLog } from './server-log.ts';
import { dropJobs } from './streams.ts';

/** Timeout of waits. It is generous, because a busy machine may take its time. */
const PATIENCE_MS = 60_000;

export const ORIGIN = 'http://localhost:5173';

export interface Person {
  account: AccountId;
  token: string;
}

export interface SignedIn extends Person {
  device: DeviceId;
  session: string;
}

export interface TestClusterOptions {
  /** The servers use a role with the permissions of an installation's server, instead of the superuser of tests. */
  isRestricted?: boolean;
  postgresUrl: string;
  natsUrl: string;
  servers?: number;
  overrides?: Partial<Context>;
  env?: Record<string, string>;
  compareEveryMs?: number;
}

export type TestCluster = Awaited<ReturnType<typeof startTestCluster>>;

export async function startTestCluster(options: TestClusterOptions) {
  const name = nextName();
  const urls = await createDatabases(options.postgresUrl, name, 'template');
  if (options.isRestricted) await restrict(urls);
  const read = readConfig({
    ...urls,
    ...(options.isRestricted && asRole(urls, SERVER_ROLE)),
    NATS_URLS: options.natsUrl,
    JOBS_PREFIX: name,
    ORIGIN,
    LOG_LEVEL: 'warn',
    METRICS_TOKEN: 'metrics-token',
    DATABASE_TIMEOUT_MS: String(PATIENCE_MS),
    BLOBS_DIR: join(tmpdir(), name),
    // The disk of a developer may be nearly full.
    BLOB_MIN_FREE_RATIO: '0',
    ...options.env,
  });
  // A free port each, also for servers that tests start with this configuration.
  const config: Config = { ...read, CONSOLE_PORT: 0 };
  const secrets = await makeSecrets(options.env);
  const { compareEveryMs } = options;
  const overrides = { log: createLog(config.LOG_LEVEL, serverLog), ...options.overrides };
  const start = (): Promise<RunningServer> =>
    startServer({ ...config, PORT: 0 }, secrets, {
      overrides,
      ...(compareEveryMs && { compareEveryMs }),
    });
  const servers = await Promise.all(Array.from({ length: options.servers ?? 1 }, start));
  const [first] = servers;
  const { ctx, url } = first!;

  return {
    ...openTestFixture(ctx, url),
    config,
    secrets,
    ctx,
    url,
    servers,
    connect: (person: Person, server = first!) => TestSocket.open(server.url, person),
    async [Symbol.asyncDispose]() {
      await Promise.all(servers.map((server) => server[Symbol.asyncDispose]()));
      await rm(config.BLOBS_DIR, { recursive: true, force: true });
      await Promise.all([
        dropDatabases(options.postgresUrl, name),
        dropJobs(options.natsUrl, name, options.env?.['NATS_CREDENTIALS']),
      ]);
    },
  };
}

export type TestFixture = ReturnType<typeof openTestFixture>;

/** Creates accounts on a running server, in this process or another one. */
export function openTestFixture(ctx: Context, url: string) {
  /** `shard`: the shard on which to create it. */
  async function addAccount(shard?: number): Promise<SignedIn> {
    const account = await createAccount(ctx, shard === undefined ? undefined : accountOn(shard));
    return startSession(ctx, account);
  }

  async function befriend(one: Person, other: Person): Promise<void> {
    await setContact(ctx, one.account, other.account, 'accepted');
    await setContact(ctx, other.account, one.account, 'accepted');
  }

  return {
    addAccount,
    async addDevice(person: Person): Promise<SignedIn> {
      return startSession(ctx, person.account);
    },
    befriend,
    /** Adds an account with a published master key (`key`) and a user document, and thus with a username. */
    async addNamed(shard: number): Promise<SignedIn & { username: string }> {
      const person = await addAccount(shard);
      const { account } = person;
      const master = { user_id: userOf(account), usage: ['master' as const], keys: { 'ed25519:key': 'key' } };
      await callServer(url, uploadSigningKeys, person, { master_key: master });
      const { body } = await callServer(url, updateUser, person, { documentId: account, data: {} });
      return { ...person, username: body.username };
    },
    async addFriends([one, other]: [number, number] = [0, 1]): Promise<[SignedIn, SignedIn]> {
      const [alice, bob] = [await addAccount(one), await addAccount(other)];
      await befriend(alice, bob);
      return [alice, bob];
    },
    call: <E extends Endpoint>(endpoint: E, person: Person | undefined, body?: z.input<E['body']>) =>
      callServer(url, endpoint, person, body),
    async send(from: Person, to: Person, text: string, id = newMessageId()) {
      const body = Buffer.from(text).toString('base64url');
      return callServer(url, contract.sendMessage, from, { id, to: to.account, body });
    },
    listEntries: (person: Person): Promise<Entry[]> => listSince(ctx, person.account, 0, 10_000),
    connect: (person: Person) => TestSocket.open(url, person),
    /** Connects and waits until the gateway has answered `resume`. */
    async resume(person: Person, cursor: Cursor | null = null): Promise<TestSocket> {
      const socket = await TestSocket.open(url, person);
      socket.say({ t: 'resume', v: REALTIME_VERSION, cursor });
      await socket.until(() => socket.all('resumed').length + socket.all('reset').length > 0, 'an answer to resume');
      return socket;
    },
  };
}

export function newMessageId(): MessageId {
  return randomUUID() as MessageId;
}

/** Buckets alternate between the two shards, so the last bit of an id determines the shard. */
export function accountOn(shard: number): AccountId {
  const id = randomUUID();
  const last = (Number.parseInt(id.slice(-1), 16) & ~1) | shard;
  return AccountId.parse(id.slice(0, -1) + last.toString(16));
}

export interface Answer {
  status: number;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into answers freely
  body: any;
}

export async function callServer<E extends Endpoint>(
  url: string,
  endpoint: E,
  person: Person | undefined,
  body?: z.input<E['body']>,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const reply = await fetch(new URL(endpoint.path, url), {
    method: endpoint.method,
    headers: {
      [CALL_HEADER]: '1',
      ...(person && { cookie: `${SESSION_COOKIE}=${person.token}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await reply.text();
  return { status: reply.status, body: text === '' ? undefined : JSON.parse(text) };
}

/** The socket of a device, with all frames that it received. */
export class TestSocket implements Disposable {
  readonly frames: ServerFrame[] = [];
  readonly ws: WebSocket;
  readonly closed: Promise<void>;
  #waiting: (() => void)[] = [];

  private constructor(ws: WebSocket) {
    this.ws = ws;
    this.closed = new Promise((resolve) => ws.once('close', () => resolve()));
    ws.on('message', (data) => {
      this.frames.push(JSON.parse((data as Buffer).toString()) as ServerFrame);
      this.#wake();
    });
    ws.on('close', () => this.#wake());
    ws.on('error', () => this.#wake());
  }

  static async open(url: string, person: Person, headers: Record<string, string> = {}): Promise<TestSocket> {
    const ws = new WebSocket(url.replace('http', 'ws') + REALTIME_PATH, {
      perMessageDeflate: false,
      headers: { origin: ORIGIN, cookie: `${SESSION_COOKIE}=${person.token}`, ...headers },
    });
    const socket = new TestSocket(ws);
    await new Promise<void>((resolve, reject) => {
      ws.once('open', () => resolve());
      ws.once('unexpected-response', (_request, reply) => reject(new Error(`refused: ${reply.statusCode}`)));
      ws.once('error', reject);
    });
    return socket;
  }

  say(said: ClientFrame): void {
    this.ws.send(JSON.stringify(said));
  }

  /** All frames of one kind so far. */
  all<T extends ServerFrame['t']>(t: T): Extract<ServerFrame, { t: T }>[] {
    return this.frames.filter((frame): frame is Extract<ServerFrame, { t: T }> => frame.t === t);
  }

  entries(): Entry[] {
    return this.all('entry').map((frame) => frame.entry);
  }

  seqs(): number[] {
    return this.entries().map((entry) => entry.seq);
  }

  async until(check: () => boolean, what: string): Promise<void> {
    const giveUpAt = Date.now() + PATIENCE_MS;
    while (!check()) {
      const left = giveUpAt - Date.now();
      if (left <= 0) throw new Error(`waited in vain for ${what}; got ${JSON.stringify(this.frames.slice(-5))}`);
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, left);
        this.#waiting.push(() => {
          clearTimeout(timer);
          resolve();
        });
      });
    }
  }

  #wake(): void {
    for (const wake of this.#waiting.splice(0)) wake();
  }

  [Symbol.dispose](): void {
    this.ws.terminate();
  }
}

export function randomBody(bytes: number): string {
  return randomBytes(bytes).toString('base64url');
}

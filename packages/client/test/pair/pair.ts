/** Clients against the real server: real shards, real bus, real sockets. Only the client's network can be disturbed. */
// oxlint-disable-next-line import/no-unassigned-import -- Before the client: the engine, and Dexie once, look at the global object.
import '../set-up.ts';
import { randomBytes } from 'node:crypto';
import { type Client, type ClientDeps, createClient, type KeyRing, type OpenSocket } from '@dostar/client';
import { createKeyStore } from '@dostar/client/key-store';
import { createKeyRing } from '@dostar/client/key-ring';
import { SESSION_COOKIE } from '@dostar/protocol/contract/sessions';
import type { Person, TestFixture } from '@dostar/server/testing';
import { IDBKeyRange } from 'fake-indexeddb';
import { WebSocket } from 'ws';
import { openClearKeyRing } from '../clear-key-ring.ts';
import { createFastClock } from '../fast-clock.ts';
import { TEST_ORIGIN } from '../http-browser.ts';
import type { Program } from '../sabotage/sabotaged-client.ts';
import { Disk } from './disk.ts';

/** Runs in real time. */
const clock = createFastClock(1);

/** Where browsers connect. */
interface Servers {
  servers: Address[];
}

/** A test cluster and the addresses of its servers. */
export type TestServers = TestFixture & Servers;

/** `gateway`: the origin for sockets, if it is another one. */
interface Address {
  url: string;
  gateway?: string;
}

export interface TestBrowserOptions {
  /** The account key, as after a sign-in with the password. Without it messages are not encrypted at all. */
  accountKey?: Uint8Array<ArrayBuffer>;
  /** The disk of an earlier browser. */
  disk?: Disk;
  /** The cookie of an earlier browser. */
  token?: string;
  /** The origin that the server expects; that of tests if missing. */
  origin?: string;
  log?: (event: string, fields?: Record<string, unknown>) => void;
  /** Called once per call; returns true to lose the answer. */
  losesAnswer?: (path: string) => boolean;
  /** Called for every answer of the server, also for those that are lost afterwards. */
  onAnswer?: (path: string, answer: Response) => void;
  /** Called before each call is sent; the call waits for its promise. */
  onCall?: (path: string, body: unknown) => unknown;
  /** Receives each frame of the socket; frames that it does not pass are lost. */
  onFrame?: (text: string, pass: (text: string) => void) => void;
  /** The sabotaged client; by default the real one. */
  program?: Program;
}

/** A browser of a person: its cookie, origin and disk. `cut` ends its sockets without a close frame. */
export function openBrowser(cluster: Servers, person: Person, options: TestBrowserOptions = {}) {
  const { losesAnswer = () => false, accountKey, disk: indexedDB = new Disk() } = options;
  const { onFrame = (text, pass) => pass(text), origin = TEST_ORIGIN } = options;
  const program = options.program ?? { createClient, createKeyRing };
  const sockets = new Set<WebSocket>();
  const headers = (): Record<string, string> => ({ origin, cookie: `${SESSION_COOKIE}=${browser.token}` });
  const browser = {
    token: options.token ?? person.token,
    disk: indexedDB,
    events: new Array<string>(),
    /** The keys of the running client. */
    keyRing: undefined as KeyRing | undefined,
    /** How many key rings the client has opened so far. */
    keyRingCount: 0,
    /** Dependencies for a part of the client that runs by itself. */
    deps: (server = 0) => ({
      account: person.account,
      baseUrl: cluster.servers[server]!.url,
      clock,
      indexedDB,
      IDBKeyRange,
      fetch: call,
    }),
    /** Runs code whose live queries then hear changes of this browser only. */
    inPage: <T>(task: () => T): T => indexedDB.run(task),
    start: (server = 0, deps: Partial<ClientDeps> = {}): Client =>
      browser.inPage(() =>
        program.createClient({
          ...browser.deps(server),
          locks: undefined,
          accountKey: async () => accountKey,
          openKeyRing: () => {
            browser.keyRingCount += 1;
            return (browser.keyRing = accountKey ? openRing(server) : openClearKeyRing());
          },
          openSocket,
          log: (event, fields) => options.log?.(event, fields),
          ...deps,
        }),
      ),
    cut(): void {
      for (const socket of sockets) socket.terminate();
    },
  };
  return browser;

  async function call(input: string | URL | Request, init?: RequestInit): Promise<Response> {
    const path = new URL(input instanceof Request ? input.url : input).pathname;
    await options.onCall?.(path, init?.body);
    const response = await fetch(input, { ...init, headers: { ...headers(), ...(init?.headers as object) } });
    options.onAnswer?.(path, response);
    if (losesAnswer(path)) throw new TypeError('fetch failed');
    return response;
  }

  function openRing(server: number): KeyRing {
    const secrets = createKeyStore({ indexedDB, IDBKeyRange });
    return program.createKeyRing({
      account: person.account,
      baseUrl: cluster.servers[server]!.url,
      fetch: call,
      clock,
      random: (size) => new Uint8Array(randomBytes(size)),
      indexedDB,
      IDBKeyRange,
      secrets: {
        ...secrets,
        get: async (name) => (await secrets.get(name)) ?? (name === person.account ? accountKey : undefined),
      },
      log: (event, fields) => {
        browser.events.push(event);
        options.log?.(event, fields);
      },
    });
  }

  function openSocket(url: string, { onOpen, onText, onClose }: Parameters<OpenSocket>[1]) {
    const { pathname, host } = new URL(url);
    const { gateway } = cluster.servers.find((server) => new URL(server.url).host === host) ?? {};
    const address = gateway === undefined ? url : gateway.replace('http', 'ws') + pathname;
    const socket = new WebSocket(address, { headers: headers() });
    sockets.add(socket);
    socket.on('open', onOpen);
    socket.on('message', (data) => onFrame((data as Buffer).toString(), onText));
    socket.on('close', () => {
      sockets.delete(socket);
      onClose();
    });
    // A close event follows a refused handshake.
    socket.on('error', () => {});
    return { send: (text: string) => socket.send(text), close: () => socket.terminate() };
  }
}

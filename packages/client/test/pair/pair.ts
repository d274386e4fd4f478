/** Clients against the real server: real shards, real bus, real sockets. Only the wire's edge can be made bad. */
import { type Client, type ClientDeps, createClient, type OpenSocket } from '@dostar/client';
import { SESSION_COOKIE } from '@dostar/protocol/contract/sessions';
import { ORIGIN, type Person, type World } from '@dostar/server/testing';
import { IDBFactory, IDBKeyRange } from 'fake-indexeddb';
import { WebSocket } from 'ws';

declare module 'vitest' {
  interface ProvidedContext {
    postgresUrl: string;
    natsUrl: string;
  }
}

interface Edge {
  /** Asked once per call: whether the answer is lost on its way back. */
  losesAnswer?: () => boolean;
}

/** A browser of a person: the cookie, the origin and the disk. `cut` ends its sockets without a word. */
export function openBrowser(world: World, person: Person, { losesAnswer = () => false }: Edge = {}) {
  const indexedDB = new IDBFactory();
  const sockets = new Set<WebSocket>();
  const headers = (): Record<string, string> => ({ origin: ORIGIN, cookie: `${SESSION_COOKIE}=${browser.token}` });
  const browser = {
    token: person.token,
    start: (server = 0, deps: Partial<ClientDeps> = {}): Client =>
      createClient({
        account: person.account,
        baseUrl: world.servers[server]!.url,
        indexedDB,
        IDBKeyRange,
        locks: undefined,
        openSocket,
        async fetch(input, init) {
          const response = await fetch(input, { ...init, headers: { ...headers(), ...(init?.headers as object) } });
          if (losesAnswer()) throw new TypeError('fetch failed');
          return response;
        },
        ...deps,
      }),
    cut(): void {
      for (const socket of sockets) socket.terminate();
    },
  };
  return browser;

  function openSocket(url: string, { onOpen, onText, onClose }: Parameters<OpenSocket>[1]) {
    const socket = new WebSocket(url, { headers: headers() });
    sockets.add(socket);
    socket.on('open', onOpen);
    socket.on('message', (data) => onText((data as Buffer).toString()));
    socket.on('close', () => {
      sockets.delete(socket);
      onClose();
    });
    // A refused handshake: the close event follows.
    socket.on('error', () => {});
    return { send: (text: string) => socket.send(text), close: () => socket.terminate() };
  }
}

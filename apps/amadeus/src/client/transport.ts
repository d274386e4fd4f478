/** Calls and sockets to the server like a browser's: with our origin, and with cookies that are stored in a file. */
import type { ClientDeps, OpenSocket } from '@dostar/client';
import type { ValueStore } from '@dostar/client/engine-disk';
import { WebSocket } from 'ws';

export interface Transport {
  fetch: ClientDeps['fetch'];
  openSocket: OpenSocket;
  /** Stores a cookie as if the server had set it. */
  setCookie(name: string, value: string): Promise<void>;
}

interface TransportOptions {
  server: string;
  /** The origin that the server expects. */
  site: string;
  place: ValueStore;
}

export async function openTransport({ server, site, place }: TransportOptions): Promise<Transport> {
  const cookies = new Map((await place.read()) as [string, string][] | undefined);

  function headers(): Record<string, string> {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    return { origin: site, 'user-agent': 'Amadeus', ...(cookie !== '' && { cookie }) };
  }

  async function storeCookies(reply: Response): Promise<void> {
    const lines = reply.headers.getSetCookie();
    if (lines.length === 0) return;
    for (const line of lines) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === '') cookies.delete(name);
      else cookies.set(name, value);
    }
    await place.write([...cookies]);
  }

  return {
    async fetch(input, init) {
      const { pathname, search } = new URL(input instanceof Request ? input.url : input);
      const reply = await fetch(new URL(pathname + search, server), {
        ...init,
        // The request carries the session cookie, so it must not follow a redirect to another host.
        redirect: 'error',
        headers: { ...headers(), ...(init?.headers as Record<string, string>) },
      });
      await storeCookies(reply);
      return reply;
    },
    openSocket(url, { onOpen, onText, onClose }) {
      const socket = new WebSocket(url, { headers: headers() });
      socket.on('open', onOpen);
      socket.on('message', (data) => onText((data as Buffer).toString()));
      socket.on('close', onClose);
      // Ignored: a refused handshake also causes a close event.
      socket.on('error', () => {});
      return { send: (text) => socket.send(text), close: () => socket.terminate() };
    },
    async setCookie(name, value) {
      cookies.set(name, value);
      await place.write([...cookies]);
    },
  };
}

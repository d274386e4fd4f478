/** Replaces a browser's network features: cookies, and the origin of the page. */
import type { ClientDeps } from '@dostar/client';
import { WebSocket } from 'ws';

export function openTransport(origin: string): Pick<ClientDeps, 'fetch' | 'openSocket'> {
  const cookies = new Map<string, string>();

  function headers(): Record<string, string> {
    return { origin, cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') };
  }

  return {
    async fetch(input, init) {
      // The cookie is the session, so a redirect must not carry it to another host.
      const sent = { ...headers(), ...(init?.headers as Record<string, string>) };
      const reply = await fetch(input, { ...init, redirect: 'error', headers: sent });
      for (const line of reply.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
        if (value === '') cookies.delete(name);
        else cookies.set(name, value);
      }
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
  };
}

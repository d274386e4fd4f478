import type { WebSocket } from 'ws';

/** The library would answer pings by itself, and keep the answers for a peer that does not read them. */
export const SOCKET_OPTIONS = { noServer: true, perMessageDeflate: false, autoPong: false } as const;

/** Ends a socket whose peer asks for more answers than it reads. */
export function answerPings(ws: WebSocket, maxBufferedBytes: number): void {
  ws.on('ping', (data) => {
    if (ws.bufferedAmount > maxBufferedBytes) ws.terminate();
    else ws.pong(data);
  });
}

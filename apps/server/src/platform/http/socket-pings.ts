import type { WebSocket } from 'ws';

/** Without `autoPong`: the library would buffer pongs without limit for a peer that does not read them. */
export const SOCKET_OPTIONS = { noServer: true, perMessageDeflate: false, autoPong: false } as const;

/** Answers pings. Terminates the socket when its peer does not read the pongs. */
export function answerPings(ws: WebSocket, maxBufferedBytes: number): void {
  ws.on('ping', (data) => {
    if (ws.bufferedAmount > maxBufferedBytes) ws.terminate();
    else ws.pong(data);
  });
}

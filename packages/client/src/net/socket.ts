import { ClientFrame, REALTIME_PATH, ServerFrame } from '@dostar/protocol/realtime';

/** Events of any socket. `onClose` is called once, also for a socket that never opened. */
export interface SocketEvents {
  onOpen(): void;
  onText(text: string): void;
  onClose(): void;
}

export interface Socket {
  send(text: string): void;
  close(): void;
}

export type OpenSocket = (url: string, events: SocketEvents) => Socket;

/**
 * A frame that does not parse is reported as `unreadable`: the connection ends there, and later frames are not trusted.
 */
export type Received = ServerFrame | { t: 'unreadable' };

export interface FrameSocket {
  /** Whether the handshake succeeded. */
  opened: Promise<boolean>;
  send(frame: ClientFrame): void;
  /** Returns the frames that have arrived since the last call, at least one; undefined once the socket is closed. */
  receive(): Promise<Received[] | undefined>;
  /** How many frames have arrived, processed or not: the heartbeat checks that the server is alive. */
  receivedCount(): number;
  /** Ends at once, because the closing handshake could take minutes on a dead network. */
  close(): void;
}

/** Storing a long catch-up in batches keeps transactions short and the screen responsive. */
const MAX_BATCH = 200;

export function openFrameSocket(open: OpenSocket, baseUrl: string): FrameSocket {
  const opened = Promise.withResolvers<boolean>();
  const queue: Received[] = [];
  let arrival = Promise.withResolvers<void>();
  let isClosed = false;
  let receivedCount = 0;

  const socket = open(socketUrl(baseUrl), { onOpen: () => opened.resolve(true), onText: onText, onClose: end });

  function onText(text: string): void {
    if (isClosed) return;
    receivedCount += 1;
    queue.push(parseFrame(text));
    arrival.resolve();
  }

  function end(): void {
    isClosed = true;
    opened.resolve(false);
    arrival.resolve();
  }

  async function receive(): Promise<Received[] | undefined> {
    await arrival.promise;
    const batch = queue.splice(0, MAX_BATCH);
    if (queue.length === 0 && !isClosed) arrival = Promise.withResolvers<void>();
    return batch.length === 0 ? undefined : batch;
  }

  function send(frame: ClientFrame): void {
    if (!isClosed) socket.send(JSON.stringify(ClientFrame.parse(frame)));
  }

  function close(): void {
    if (isClosed) return;
    end();
    socket.close();
  }

  return { opened: opened.promise, send, receive, receivedCount: () => receivedCount, close };
}

export function openBrowserSocket(url: string, { onOpen, onText, onClose }: SocketEvents): Socket {
  const socket = new WebSocket(url);
  socket.addEventListener('open', onOpen);
  socket.addEventListener('message', (event) => onText(String(event.data)));
  socket.addEventListener('close', onClose);
  return { send: (text) => socket.send(text), close: () => socket.close() };
}

function parseFrame(text: string): Received {
  try {
    return ServerFrame.parse(JSON.parse(text));
  } catch {
    return { t: 'unreadable' };
  }
}

function socketUrl(baseUrl: string): string {
  const url = new URL(REALTIME_PATH, baseUrl);
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  return url.href;
}

/** HTTP/1.1 as bytes over reused sockets. A client library would refuse to send much of what a fuzzer sends. */
import { connect } from 'node:net';
import type { Socket } from 'node:net';

export interface Request {
  method: string;
  /** Includes the query. */
  path: string;
  headers: [string, string][];
  body: Buffer | undefined;
  /** Broken as HTTP: the server may close the connection without an answer. */
  isBroken: boolean;
}

export interface Reply {
  /** 0 if the connection was closed without an answer. */
  status: number;
  text: string;
}

/** Status of a request without an answer within `TIMEOUT_MS`. */
export const UNANSWERED = -1;
/** Generous: on a shared machine a process may be frozen for some seconds. */
export const TIMEOUT_MS = 10_000;
const HEAD_END = Buffer.from('\r\n\r\n');

export class Wire implements Disposable {
  readonly #port: number;
  readonly #idle: Socket[] = [];

  constructor(url: string) {
    this.#port = Number(new URL(url).port);
  }

  async send(request: Request): Promise<Reply> {
    // The server may close an idle connection at the moment it is reused.
    const kept = this.#idle.pop();
    const reply = kept && (await this.#exchange(kept, request));
    return reply && reply.status !== 0 ? reply : this.#exchange(connect(this.#port, '127.0.0.1'), request);
  }

  #exchange(socket: Socket, request: Request): Promise<Reply> {
    const { promise, resolve } = Promise.withResolvers<Reply>();
    let read = Buffer.alloc(0);
    const finish = (reply: Reply, isKept: boolean): void => {
      clearTimeout(timer);
      socket.removeAllListeners();
      socket.on('error', () => {});
      if (isKept) this.#idle.push(socket);
      else socket.destroy();
      resolve(reply);
    };
    const timer = setTimeout(() => finish({ status: UNANSWERED, text: '' }, false), TIMEOUT_MS);
    socket.on('data', (piece) => {
      read = Buffer.concat([read, piece]);
      const answer = readAnswer(read, request.method === 'HEAD');
      if (answer) finish(answer, answer.isKept && !request.isBroken);
    });
    socket.on('error', () => finish(readPart(read), false));
    socket.on('close', () => finish(readPart(read), false));
    socket.setNoDelay(true);
    socket.write(writeRequest(request));
    // Ends the stream: the server would wait for the rest of a body that never comes.
    if (request.isBroken) socket.end();
    return promise;
  }

  [Symbol.dispose](): void {
    for (const socket of this.#idle) socket.destroy();
  }
}

/** Above 16 KB of headers the server answers 431 and closes; writing the rest may fail before the answer is read. */
export function isHeadTooLarge(request: Request): boolean {
  return writeRequest({ ...request, body: undefined }).length > 16 * 1024;
}

function writeRequest({ method, path, headers, body }: Request): Buffer {
  const lines = [`${method} ${path} HTTP/1.1`, ...headers.map(([name, value]) => `${name}: ${value}`)];
  // HTTP headers are Latin-1: every character is one byte.
  const head = Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
  return body ? Buffer.concat([head, body]) : head;
}

function readPart(read: Buffer): Reply {
  const [, status = '0'] = /^HTTP\/1\.1 (\d{3})/.exec(read.subarray(0, 20).toString('latin1')) ?? [];
  return { status: Number(status), text: read.toString('latin1').slice(0, 500) };
}

/** Undefined until the whole answer has arrived. */
function readAnswer(read: Buffer, isHead: boolean): (Reply & { isKept: boolean }) | undefined {
  const end = read.indexOf(HEAD_END);
  if (end === -1) return undefined;
  const head = read.subarray(0, end).toString('latin1').toLowerCase();
  const body = read.subarray(end + HEAD_END.length);
  const status = Number(head.slice(9, 12));
  // 100 Continue: the final answer follows.
  if (status === 100) return readAnswer(body, isHead);
  const length = /\r\ncontent-length: (\d+)/.exec(head)?.[1];
  const isChunked = head.includes('\r\ntransfer-encoding: chunked');
  const hasBody = !isHead && status !== 204 && status !== 304;
  if (hasBody && isChunked && !body.subarray(-5).equals(Buffer.from('0\r\n\r\n'))) return undefined;
  if (hasBody && length !== undefined && body.length < Number(length)) return undefined;
  // Without a length the body ends with the connection.
  if (hasBody && length === undefined && !isChunked) return undefined;
  return { status, text: body.subarray(0, 500).toString('latin1'), isKept: !head.includes('\r\nconnection: close') };
}

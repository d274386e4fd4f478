/**
 * A key ring on the other side of a wire: the engine's worker from its page, and the tab that leads from the others.
 *
 * Both ends are here. What crosses is plain data; an AppError arrives as an AppError.
 */
import { AppError, type ErrorCode } from '@dostar/protocol/errors';
import type { Clock } from '../../lib/clock.ts';

/** The part of a Worker, a worker's scope or a BroadcastChannel that a talk needs. */
export interface Port {
  postMessage(message: unknown): void;
  addEventListener(type: 'message', listener: (event: { data: unknown }) => void): void;
  removeEventListener(type: 'message', listener: (event: { data: unknown }) => void): void;
}

type RpcMessage =
  | { t: 'ask'; id: string; method: string; args: unknown[] }
  /** Somebody is there and at it. */
  | { t: 'taken'; id: string }
  | { t: 'done'; id: string; result: unknown }
  | { t: 'failed'; id: string; code: ErrorCode; details: Record<string, unknown> | undefined }
  | { t: 'event'; name: string; value: unknown };

type Methods = Record<string, (...args: never[]) => Promise<unknown>>;

/** Answers for `target`; returns how to stop. Only the methods named are there to be asked for. */
export function serveRpc(port: Port, target: Methods, names: readonly string[]): () => void {
  const known = new Set(names);
  port.addEventListener('message', onMessage);
  return () => port.removeEventListener('message', onMessage);

  function onMessage({ data }: { data: unknown }): void {
    const message = parseRpcMessage(data);
    if (message?.t !== 'ask' || !known.has(message.method)) return;
    const { id, method, args } = message;
    post(port, { t: 'taken', id });
    const run = target[method] as (...words: unknown[]) => Promise<unknown>;
    run(...args).then(
      (result) => post(port, { t: 'done', id, result }),
      (error: unknown) => {
        const failure = error instanceof AppError ? error : new AppError('internal', { reason: String(error) });
        post(port, { t: 'failed', id, code: failure.code, details: failure.details });
      },
    );
  }
}

export function sendEvent(port: Port, name: string, value: unknown): void {
  post(port, { t: 'event', name, value });
}

export function listenForEvents(port: Port, onEvent: (name: string, value: unknown) => void): () => void {
  const onMessage = ({ data }: { data: unknown }): void => {
    const message = parseRpcMessage(data);
    if (message?.t === 'event') onEvent(message.name, message.value);
  };
  port.addEventListener('message', onMessage);
  return () => port.removeEventListener('message', onMessage);
}

export interface RpcOptions {
  clock: Clock;
  /** Makes the ids of questions. Several tabs ask on one channel, so they must not meet. */
  newId: () => string;
  /** How long to wait for somebody to take a question up; left out, for ever. */
  ackTimeoutMs?: number;
}

/** Asks the other end; throws `unavailable` if nobody takes the question up. */
export function createRpcClient(port: Port, { clock, newId, ackTimeoutMs }: RpcOptions) {
  const open = new Map<string, PromiseWithResolvers<unknown> & { taken: AbortController }>();
  port.addEventListener('message', ({ data }) => {
    const message = parseRpcMessage(data);
    if (message === undefined || message.t === 'event' || message.t === 'ask') return;
    const pending = open.get(message.id);
    pending?.taken.abort();
    if (pending === undefined || message.t === 'taken') return;
    open.delete(message.id);
    if (message.t === 'done') pending.resolve(message.result);
    else pending.reject(new AppError(message.code, message.details));
  });

  return async function ask(method: string, ...args: unknown[]): Promise<never> {
    const id = newId();
    const pending = { ...Promise.withResolvers<unknown>(), taken: new AbortController() };
    open.set(id, pending);
    post(port, { t: 'ask', id, method, args });
    if (ackTimeoutMs !== undefined) {
      await clock.sleep(ackTimeoutMs, pending.taken.signal);
      if (!pending.taken.signal.aborted) {
        open.delete(id);
        throw new AppError('unavailable');
      }
    }
    return (await pending.promise) as never;
  };
}

function post(port: Port, message: RpcMessage): void {
  port.postMessage(message);
}

/** Undefined for a message of another form: it is discarded. */
function parseRpcMessage(data: unknown): RpcMessage | undefined {
  const message = data as Partial<Record<'t' | 'id' | 'name' | 'method' | 'args' | 'code', unknown>> | null | undefined;
  const isKnown =
    (message?.t === 'event' && typeof message.name === 'string') ||
    (typeof message?.id === 'string' &&
      (message.t === 'taken' ||
        message.t === 'done' ||
        (message.t === 'failed' && typeof message.code === 'string') ||
        (message.t === 'ask' && typeof message.method === 'string' && Array.isArray(message.args))));
  return isKnown ? (data as RpcMessage) : undefined;
}

/**
 * RPC over a port: from a page to the engine's worker, and from other tabs to the leading tab.
 *
 * This file has both sides. Arguments and results are plain data; an AppError arrives as an AppError.
 */
import { AppError, type ErrorCode } from '@dostar/protocol/errors';
import type { Clock } from '../../lib/clock.ts';

/** The part of a Worker, a worker's scope or a BroadcastChannel that RPC needs. */
export interface Port {
  postMessage(message: unknown): void;
  addEventListener(type: 'message', listener: (event: { data: unknown }) => void): void;
  removeEventListener(type: 'message', listener: (event: { data: unknown }) => void): void;
}

type RpcMessage =
  | { t: 'ask'; id: string; method: string; args: unknown[] }
  /** The call was received. */
  | { t: 'taken'; id: string }
  | { t: 'done'; id: string; result: unknown }
  | { t: 'failed'; id: string; code: ErrorCode; details: Record<string, unknown> | undefined }
  | { t: 'event'; name: string; value: unknown };

type Methods = Record<string, (...args: never[]) => Promise<unknown>>;

/** Serves calls of the named methods of `target`; returns a function that stops it. */
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
  /** Makes the ids of calls, unique among the tabs of one channel. */
  newId: () => string;
  /** How long the client waits for the acknowledgement of a call; by default without limit. */
  ackTimeoutMs?: number;
}

/** Calls the other end; throws `unavailable` if nothing acknowledges the call. */
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

/** Undefined for a malformed message, which is discarded. */
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

/**
 * A key ring on the other side of a wire: the engine's worker from its page, and the tab that leads from the others.
 *
 * Both ends are here. What crosses is plain data; an AppError arrives as an AppError.
 */
import { AppError, type ErrorCode } from '@dostar/protocol/errors';
import type { Clock } from '../../deps.ts';

/** The part of a Worker, a worker's scope or a BroadcastChannel that a talk needs. */
export interface Port {
  postMessage(message: unknown): void;
  addEventListener(type: 'message', listener: (event: { data: unknown }) => void): void;
  removeEventListener(type: 'message', listener: (event: { data: unknown }) => void): void;
}

type Said =
  | { t: 'ask'; id: string; method: string; args: unknown[] }
  /** Somebody is there and at it. */
  | { t: 'taken'; id: string }
  | { t: 'done'; id: string; result: unknown }
  | { t: 'failed'; id: string; code: ErrorCode; details: Record<string, unknown> | undefined }
  | { t: 'event'; name: string; value: unknown };

type Methods = Record<string, (...args: never[]) => Promise<unknown>>;

/** Answers for `target`; returns how to stop. Only the methods named are there to be asked for. */
export function serveMethods(port: Port, target: Methods, names: readonly string[]): () => void {
  const known = new Set(names);
  port.addEventListener('message', hear);
  return () => port.removeEventListener('message', hear);

  function hear({ data }: { data: unknown }): void {
    const said = readSaid(data);
    if (said?.t !== 'ask' || !known.has(said.method)) return;
    const { id, method, args } = said;
    say(port, { t: 'taken', id });
    const run = target[method] as (...words: unknown[]) => Promise<unknown>;
    run(...args).then(
      (result) => say(port, { t: 'done', id, result }),
      (error: unknown) => {
        const failure = error instanceof AppError ? error : new AppError('internal', { reason: String(error) });
        say(port, { t: 'failed', id, code: failure.code, details: failure.details });
      },
    );
  }
}

export function sendEvent(port: Port, name: string, value: unknown): void {
  say(port, { t: 'event', name, value });
}

export function hearEvents(port: Port, onEvent: (name: string, value: unknown) => void): () => void {
  const hear = ({ data }: { data: unknown }): void => {
    const said = readSaid(data);
    if (said?.t === 'event') onEvent(said.name, said.value);
  };
  port.addEventListener('message', hear);
  return () => port.removeEventListener('message', hear);
}

export interface RemoteOptions {
  clock: Clock;
  /** Makes the ids of questions. Several tabs ask on one channel, so they must not meet. */
  newId: () => string;
  /** How long to wait for somebody to take a question up; left out, for ever. */
  takenWithinMs?: number;
}

/** Asks the other end; throws `unavailable` if nobody takes the question up. */
export function createAsker(port: Port, { clock, newId, takenWithinMs }: RemoteOptions) {
  const open = new Map<string, PromiseWithResolvers<unknown> & { taken: AbortController }>();
  port.addEventListener('message', ({ data }) => {
    const said = readSaid(data);
    if (said === undefined || said.t === 'event' || said.t === 'ask') return;
    const question = open.get(said.id);
    question?.taken.abort();
    if (question === undefined || said.t === 'taken') return;
    open.delete(said.id);
    if (said.t === 'done') question.resolve(said.result);
    else question.reject(new AppError(said.code, said.details));
  });

  return async function ask(method: string, ...args: unknown[]): Promise<never> {
    const id = newId();
    const question = { ...Promise.withResolvers<unknown>(), taken: new AbortController() };
    open.set(id, question);
    say(port, { t: 'ask', id, method, args });
    if (takenWithinMs !== undefined) {
      await clock.sleep(takenWithinMs, question.taken.signal);
      if (!question.taken.signal.aborted) {
        open.delete(id);
        throw new AppError('unavailable');
      }
    }
    return (await question.promise) as never;
  };
}

function say(port: Port, said: Said): void {
  port.postMessage(said);
}

/** Undefined for a message of another form: it is discarded. */
function readSaid(data: unknown): Said | undefined {
  const said = data as Partial<Record<'t' | 'id' | 'name' | 'method' | 'args' | 'code', unknown>> | null | undefined;
  const isKnown =
    (said?.t === 'event' && typeof said.name === 'string') ||
    (typeof said?.id === 'string' &&
      (said.t === 'taken' ||
        said.t === 'done' ||
        (said.t === 'failed' && typeof said.code === 'string') ||
        (said.t === 'ask' && typeof said.method === 'string' && Array.isArray(said.args))));
  return isKnown ? (data as Said) : undefined;
}

/** OPAQUE in a worker, so that stretching a password does not freeze the page. Both ends of the talk are here. */
import { createOpaqueClient, type OpaqueClient } from './opaque.ts';

interface Asked {
  id: number;
  method: keyof OpaqueClient;
  args: string[];
}

type Answered = { id: number; result: unknown } | { id: number; failure: string };

/** The part of a Worker that the page needs. */
export interface WorkerEnd {
  postMessage(message: unknown): void;
  addEventListener(type: 'message', listener: (event: { data: unknown }) => void): void;
}

/** The page's end. */
export function createOpaqueProxy(worker: WorkerEnd): OpaqueClient {
  const waiting = new Map<number, PromiseWithResolvers<never>>();
  let last = 0;
  worker.addEventListener('message', ({ data }) => {
    const answer = data as Answered;
    const asked = waiting.get(answer.id);
    waiting.delete(answer.id);
    if ('failure' in answer) asked?.reject(new Error(answer.failure));
    else asked?.resolve(answer.result as never);
  });
  function ask(method: keyof OpaqueClient, ...args: string[]): Promise<never> {
    const answer = Promise.withResolvers<never>();
    last += 1;
    waiting.set(last, answer);
    worker.postMessage({ id: last, method, args } satisfies Asked);
    return answer.promise;
  }
  return {
    startRegistration: (password) => ask('startRegistration', password),
    finishRegistration: (password, state, response) => ask('finishRegistration', password, state, response),
    startLogin: (password) => ask('startLogin', password),
    finishLogin: (password, state, response) => ask('finishLogin', password, state, response),
  };
}

/** The worker's end. */
export function serveOpaque(page: WorkerEnd): void {
  const client = createOpaqueClient();
  page.addEventListener('message', ({ data }) => {
    const { id, method, args } = data as Asked;
    const run = client[method] as (...words: string[]) => Promise<unknown>;
    run(...args).then(
      (result) => page.postMessage({ id, result } satisfies Answered),
      // The library's own words, which hold no secret: a malformed message of the server, or no WebAssembly.
      (error: unknown) => page.postMessage({ id, failure: String(error) } satisfies Answered),
    );
  });
}

/** Calls into a worker and their answers: both ends of the talk. What crosses is plain data. */

interface Asked {
  id: number;
  method: string;
  args: unknown[];
}

type Answered = { id: number; result: unknown } | { id: number; failure: string };

/** Between call and answer, for a worker that has one call. */
interface Reported {
  progress: number;
}

/** The part of a Worker, or of a worker's own scope, that a talk needs. */
export interface WorkerEnd {
  postMessage(message: unknown): void;
  addEventListener(type: 'message', listener: (event: { data: unknown }) => void): void;
}

/** The page's end. */
export function createWorkerCall(
  worker: WorkerEnd,
  onProgress?: (progress: number) => void,
): (method: string, ...args: unknown[]) => Promise<never> {
  const waiting = new Map<number, PromiseWithResolvers<never>>();
  let last = 0;
  worker.addEventListener('message', ({ data }) => {
    const answer = data as Answered | Reported;
    if ('progress' in answer) {
      onProgress?.(answer.progress);
      return;
    }
    const asked = waiting.get(answer.id);
    waiting.delete(answer.id);
    if ('failure' in answer) asked?.reject(new Error(answer.failure));
    else asked?.resolve(answer.result as never);
  });
  return (method, ...args) => {
    const answer = Promise.withResolvers<never>();
    last += 1;
    waiting.set(last, answer);
    worker.postMessage({ id: last, method, args } satisfies Asked);
    return answer.promise;
  };
}

/** The worker's end. `describe` says what the page may hear of a failure. */
export function serveWorkerCalls(page: WorkerEnd, target: object, describe: (error: unknown) => string): void {
  const methods = target as Record<string, (...args: unknown[]) => Promise<unknown>>;
  page.addEventListener('message', ({ data }) => {
    const { id, method, args } = data as Asked;
    methods[method]!(...args).then(
      (result) => page.postMessage({ id, result } satisfies Answered),
      (error: unknown) => page.postMessage({ id, failure: describe(error) } satisfies Answered),
    );
  });
}

export function reportProgress(page: WorkerEnd, progress: number): void {
  page.postMessage({ progress } satisfies Reported);
}

/** Calls into a worker and their answers, both sides. Arguments and results are plain data. */

interface Asked {
  id: number;
  method: string;
  args: unknown[];
}

type Answered = { id: number; result: unknown } | { id: number; failure: string };

/** Progress between call and answer, for a worker that serves only one call. */
interface Reported {
  progress: number;
}

/** The part of a Worker, or of a worker's own scope, that the calls need. */
export interface WorkerEnd {
  postMessage(message: unknown): void;
  addEventListener(type: 'message', listener: (event: { data: unknown }) => void): void;
}

/** The page's side. */
export function createWorkerCall(
  worker: WorkerEnd,
  onProgress?: (progress: number) => void,
): (method: string, ...args: unknown[]) => Promise<never> {
  const waiting = new Map<number, PromiseWithResolvers<never>>();
  let last = 0;
  worker.addEventListener('message', ({ data }) => {
    if (isReported(data)) onProgress?.(data.progress);
    if (!isAnswered(data)) return;
    const asked = waiting.get(data.id);
    waiting.delete(data.id);
    if ('failure' in data) asked?.reject(new Error(data.failure));
    else asked?.resolve(data.result as never);
  });
  return (method, ...args) => {
    const answer = Promise.withResolvers<never>();
    last += 1;
    waiting.set(last, answer);
    worker.postMessage({ id: last, method, args } satisfies Asked);
    return answer.promise;
  };
}

/** The worker's side. `describe` returns the part of an error that the page may see. */
export function serveWorkerCalls(page: WorkerEnd, target: object, describe: (error: unknown) => string): void {
  const methods = target as Record<string, (...args: unknown[]) => Promise<unknown>>;
  page.addEventListener('message', ({ data }) => {
    if (!isAsked(data) || !Object.hasOwn(methods, data.method)) return;
    const { id, method, args } = data;
    methods[method]!(...args).then(
      (result) => page.postMessage({ id, result } satisfies Answered),
      (error: unknown) => page.postMessage({ id, failure: describe(error) } satisfies Answered),
    );
  });
}

export function reportProgress(page: WorkerEnd, progress: number): void {
  page.postMessage({ progress } satisfies Reported);
}

// Malformed messages are discarded.
function isAsked(data: unknown): data is Asked {
  return (
    isObject(data) &&
    typeof data['id'] === 'number' &&
    typeof data['method'] === 'string' &&
    Array.isArray(data['args'])
  );
}

function isAnswered(data: unknown): data is Answered {
  return isObject(data) && typeof data['id'] === 'number' && ('result' in data || typeof data['failure'] === 'string');
}

function isReported(data: unknown): data is Reported {
  return isObject(data) && typeof data['progress'] === 'number';
}

function isObject(data: unknown): data is Record<string, unknown> {
  return typeof data === 'object' && data !== null;
}

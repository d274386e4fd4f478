/** The search engine in a worker, so that reading and writing a large index does not freeze the page. */
import { createWorkerCall, serveWorkerCalls, type WorkerEnd } from '../lib/worker-rpc.ts';
import { createSearchEngine, type SearchEngine } from './engine.ts';

/** The page's side. */
export function createSearchProxy(worker: WorkerEnd): SearchEngine {
  const ask = createWorkerCall(worker);
  return {
    load: (segments) => ask('load', segments),
    change: (keys, messages) => ask('change', keys, messages),
    find: (words, options) => ask('find', words, options),
  };
}

/** The worker's side. */
export function serveSearch(page: WorkerEnd): void {
  // Reports the name of an error, not its message, which could contain text of the user.
  serveWorkerCalls(page, createSearchEngine(), (error) => (error instanceof Error ? error.name : 'Error'));
}

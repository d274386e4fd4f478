/** OPAQUE in a worker, so that stretching a password does not freeze the page. */
import { createWorkerCall, serveWorkerCalls, type WorkerEnd } from '../lib/worker-rpc.ts';
import { createOpaqueClient, type OpaqueClient } from './opaque.ts';

/** The page's side. */
export function createOpaqueProxy(worker: WorkerEnd): OpaqueClient {
  const ask = createWorkerCall(worker);
  return {
    startRegistration: (password) => ask('startRegistration', password),
    finishRegistration: (password, state, response) => ask('finishRegistration', password, state, response),
    startLogin: (password) => ask('startLogin', password),
    finishLogin: (password, state, response) => ask('finishLogin', password, state, response),
  };
}

/** The worker's side. */
export function serveOpaque(page: WorkerEnd): void {
  // The library's messages contain no secret: a malformed message of the server, or no WebAssembly.
  serveWorkerCalls(page, createOpaqueClient(), String);
}

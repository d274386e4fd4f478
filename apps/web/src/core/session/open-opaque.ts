import { createOpaqueProxy } from '@dostar/client/opaque-proxy';
import type { OpaqueClient } from '@dostar/client/opaque';

/** OPAQUE in its own worker. Disposing of it ends the worker. */
export function openOpaque(): { client: OpaqueClient } & Disposable {
  const worker = new Worker(new URL('./opaque.worker.ts', import.meta.url), { type: 'module' });
  return { client: createOpaqueProxy(worker), [Symbol.dispose]: () => worker.terminate() };
}

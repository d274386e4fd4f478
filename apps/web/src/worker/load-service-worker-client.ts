/**
 * Loads the client and its engine from a separate script, because most events of a worker only serve a file and do not
 * need them. A worker may later import only scripts that it imported during its installation.
 */
import type * as Aside from '@dostar/client/service-worker-client';

declare const self: ServiceWorkerGlobalScope & { dostarClient?: typeof Aside };

export function loadServiceWorkerClient(): typeof Aside {
  if (self.dostarClient === undefined) importScripts(__CLIENT_SCRIPT__);
  if (self.dostarClient === undefined) throw new Error('the client is not here');
  return self.dostarClient;
}

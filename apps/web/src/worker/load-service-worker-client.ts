/**
 * The client and its engine, as a script of its own: most wakings of a worker hand out a file and need none of it.
 * A worker may load only such scripts as it loaded while it was installed.
 */
import type * as Aside from '@dostar/client/service-worker-client';

declare const self: ServiceWorkerGlobalScope & { dostarClient?: typeof Aside };

export function loadServiceWorkerClient(): typeof Aside {
  if (self.dostarClient === undefined) importScripts(__CLIENT_SCRIPT__);
  if (self.dostarClient === undefined) throw new Error('the client is not here');
  return self.dostarClient;
}

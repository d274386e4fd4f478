/** Loaded by the service worker when it has something to send or to say. */
import * as aside from '@dostar/client/service-worker-client';

Object.assign(self, { dostarClient: aside });

/** The service worker loads this to send messages or to name the sender of a push. */
import * as aside from '@dostar/client/service-worker-client';

Object.assign(self, { dostarClient: aside });

/** Loaded by the service worker when it has something to send or to say. */
import * as aside from '@dostar/client/aside';

Object.assign(self, { dostarAside: aside });

import { serveKeyRing } from '@dostar/client/key-ring-worker';

serveKeyRing(self);

import { serveOpaque } from '@dostar/client/opaque-proxy';

serveOpaque(self);

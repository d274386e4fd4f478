import { serveStretch } from '@dostar/client/argon2';

serveStretch(self);

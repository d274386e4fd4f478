// The door of @dostar/tools/servers.
export { installDebian } from './debian.ts';
export { startMail } from './mail.ts';
export type { Mail } from './mail.ts';
export { startNats, startNatsCluster } from './nats.ts';
export type { Nats, NatsCluster } from './nats.ts';
export { freePort } from './ports.ts';
export { startPostgres } from './postgres.ts';
export type { Postgres } from './postgres.ts';
export { startRole } from './role.ts';
export type { Role } from './role.ts';
export { ensureSecrets } from './secrets.ts';
export { ensureTestEngines } from './test-engines.ts';
export type { TestEngines } from './test-engines.ts';
export { waitFor } from './wait-for.ts';

import process from 'node:process';
import { describeFormerNames, readConfig } from './config.ts';
import { readSecrets } from './secrets.ts';
import { startServer } from './server.ts';

const server = await startServer(readConfig(process.env), readSecrets(process.env), { env: process.env });
for (const warning of describeFormerNames(process.env)) server.ctx.log.warn(warning);

for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.once(signal, () => {
    server.ctx.log.info('stopping');
    void server[Symbol.asyncDispose]();
  });
}

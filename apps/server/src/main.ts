import process from 'node:process';
import { listFormerNames, readConfig } from './config.ts';
import { readSecrets } from './secrets.ts';
import { startServer } from './server.ts';

const server = await startServer(readConfig(process.env), readSecrets(process.env));
for (const [former, present] of listFormerNames(process.env))
  server.ctx.log.warn(`${former} is now ${present}; the old name works until 0.3`);

for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.once(signal, () => {
    server.ctx.log.info('stopping');
    void server[Symbol.asyncDispose]();
  });
}

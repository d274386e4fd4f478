import process from 'node:process';
import { readConfig } from './config.ts';
import { startServer } from './server.ts';

const server = await startServer(readConfig(process.env));

for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.once(signal, () => {
    server.ctx.log.info('stopping');
    void server[Symbol.asyncDispose]();
  });
}

/**
 * The server's own program, which kills itself with SIGKILL at a chosen moment.
 *
 * Calls cause moments: one before and one after each statement is sent, and one before each answer is written.
 * Statements of background jobs are not counted, so that moment 17 of one run is moment 17 of the next.
 */
import { ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import { readConfig } from '../../../../apps/server/src/config.ts';
import { readSecrets } from '../../../../apps/server/src/secrets.ts';
import { startServer } from '../../../../apps/server/src/server.ts';
import { DIES_AT, MOMENT } from './moments.ts';

const crashesAt = Number(process.env[DIES_AT] ?? 0);
const OWN_BUSINESS = /\b(stats|placement|pg_catalog)\b|^select 1$/i;

let moment = 0;
let isCalled = false;

function pass(label: string): void {
  moment += 1;
  if (crashesAt === 0) process.stdout.write(`${MOMENT}${moment} ${label}\n`);
  if (moment === crashesAt) process.kill(process.pid, 'SIGKILL');
}

interface Queried {
  text?: string;
}

const { Client } = createRequire(import.meta.resolve('../../../../apps/server/package.json'))('pg') as {
  Client: { prototype: { query: (...args: unknown[]) => unknown } };
};
const { query } = Client.prototype;
Client.prototype.query = function (this: unknown, ...args: unknown[]): unknown {
  const [first] = args;
  const text = (typeof first === 'string' ? first : ((first as Queried)?.text ?? '')).trim();
  if (!isCalled || OWN_BUSINESS.test(text)) return query.apply(this, args);
  const name = text.split('\n')[0]!.slice(0, 70);
  pass(`before: ${name}`);
  // By then the statement was sent and may have been executed: this process cannot know.
  setImmediate(() => pass(`after sending: ${name}`));
  return query.apply(this, args);
};

const { writeHead } = ServerResponse.prototype;
ServerResponse.prototype.writeHead = function (this: ServerResponse, ...args: unknown[]): ServerResponse {
  if (this.req.url?.startsWith('/api/')) pass(`before the answer to ${this.req.method} ${this.req.url}`);
  return writeHead.apply(this, args as Parameters<typeof writeHead>);
};

const server = await startServer(readConfig(process.env), readSecrets(process.env));
isCalled = true;
for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.once(signal, () => void server[Symbol.asyncDispose]());
}

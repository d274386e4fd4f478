/** Amadeus: the process of one assistant account. To the server it is a client like any other. */
import { createServer } from 'node:http';
import process from 'node:process';
import { type Log, openAssistantClient } from './client/open-assistant-client.ts';
import { readSettings } from './settings.ts';
import { openModel } from './conversation/model.ts';
import { runAssistant } from './conversation/run-assistant.ts';

const settings = readSettings(process.env);
let isListening = false;

/** Logs codes and counts, never text of a user. */
const log: Log = (event, fields = {}) => {
  if (event === 'amadeus listens') isListening = true;
  const { error, ...rest } = fields;
  const errorFields = error instanceof Error ? { error: error.message } : {};
  process.stdout.write(`${JSON.stringify({ time: new Date().toISOString(), event, ...rest, ...errorFields })}\n`);
};

// `/healthz`: the process runs. `/readyz`: it has read its mailbox and answers messages.
const health = createServer((request, reply) => {
  reply.writeHead(request.url === '/readyz' && !isListening ? 503 : 200).end();
});
health.listen(settings.PORT, settings.HOST);

const { account, client } = await openAssistantClient(settings, log);
for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.once(signal, () => void client[Symbol.asyncDispose]().then(() => process.exit(0)));
}
await runAssistant({ account, client, site: settings.AMADEUS_SITE, model: openModel(settings, log), log });
log('session over');
// The service manager restarts the process, which then signs in again.
process.exit(1);

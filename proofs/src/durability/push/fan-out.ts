/** The push rate of the worker, compared with a bare client that sends the same requests. */
import { Agent, request } from 'node:https';
import { waitFor } from '@dostar/tools/servers';
import type { Context } from '../../../../apps/server/src/context.ts';
import { markPushesDue } from './push-targets.ts';
import type { Member } from './push-targets.ts';
import type { RawPush, Service } from './service.ts';

/** The number of connections that the server opens to one push service. */
const CONNECTIONS = 32;
const WORKERS = 96;

export interface Round {
  /** Pushes per second. */
  ours: number;
  baseline: number;
}

export async function runRound(ctx: Context, service: Service, members: Member[]): Promise<Round> {
  const ours = await measure(service, members.length, () => markPushesDue(ctx, members));
  const rawPushes = await service.raw();
  const baseline = await measure(service, members.length, () => replay(service, rawPushes));
  return { ours, baseline };
}

/** Pushes per second between the first and the last request at the push service. */
async function measure(service: Service, count: number, begin: () => Promise<void>): Promise<number> {
  await service.forget();
  await begin();
  await waitFor(async () => (await service.times()).length >= count, { timeoutMs: 300_000, what: `${count} pushes` });
  const times = await service.times();
  return (count - 1) / ((Math.max(...times) - Math.min(...times)) / 1000);
}

async function replay({ origin, certificate }: Service, rawPushes: RawPush[]): Promise<void> {
  const ready = rawPushes.map(({ path, headers, body }) => ({
    url: new URL(path, origin),
    headers,
    body: Buffer.from(body, 'base64'),
  }));
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS, ca: certificate });
  const queue = ready.values();
  const work = async (): Promise<void> => {
    for (const { url, headers, body } of queue) {
      await new Promise<void>((resolve, reject) => {
        const sent = request(url, { method: 'POST', agent, headers }, (answer) => {
          answer.resume();
          answer.on('end', resolve);
        });
        sent.on('error', reject);
        sent.end(body);
      });
    }
  };
  await Promise.all(Array.from({ length: WORKERS }, work));
  agent.destroy();
}

/** A worker dies in the middle of many pushes: the next one sends the rest, and no device alerts twice. */
import { PushPayload } from '@dostar/protocol/contract/push';
import { waitFor } from '@dostar/tools/servers';
import type { Checks } from '../../security/isolation/checks.ts';
import type { Servers } from '../../harness/lib/servers.ts';
import { insertPushTargets, countPushesDue, markPushesDue, expireLeases } from './push-targets.ts';
import type { Service } from './service.ts';

const TIMEOUT_MS = 20_000;
/** Pushes that have reached the push service, which never answers them. */
const UNDER_WAY = 16;

export async function checkKill(servers: Servers, service: Service, checks: Checks, count: number): Promise<number> {
  const { ctx } = servers;
  const worker = servers.processes[1]!;
  const members = await insertPushTargets(ctx, await service.add(count));
  await service.forget();
  await service.hold(true);
  await markPushesDue(ctx, members);
  await waitFor(async () => (await service.times()).length >= UNDER_WAY, {
    timeoutMs: 60_000,
    what: 'pushes under way',
  });
  worker.signal('SIGKILL');
  await service.hold(false);
  await worker.restart();
  await expireLeases(ctx, members);
  await waitFor(async () => (await countPushesDue(ctx, members)) === 0, {
    timeoutMs: 90_000,
    what: 'every job to be done',
  });
  await waitFor(async () => (await service.times()).length >= count, {
    timeoutMs: TIMEOUT_MS,
    what: 'all pushes',
  }).catch(() => {});

  const shown = (await service.read()).filter(({ text }) => text !== undefined);
  const byDevice = Map.groupBy(shown, ({ endpoint }) => endpoint);
  let repeats = 0;
  for (const { subscription } of members) {
    const told = byDevice.get(subscription.endpoint) ?? [];
    const tags = new Set(told.map(({ text }) => nameOf(text!)));
    repeats += Math.max(0, told.length - 1);
    checks.that('after a kill every device gets its push', told.length > 0, () => subscription.endpoint);
    checks.that('after a kill no push is shown twice', tags.size <= 1, () => [...tags].join(' '));
  }
  return repeats;
}

/** The id under which a device shows a push once (SPEC N4). */
function nameOf(text: string): string {
  const { id, at } = PushPayload.parse(JSON.parse(text));
  return `${id} ${at}`;
}

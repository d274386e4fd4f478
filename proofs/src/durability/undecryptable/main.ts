/** A process with part of the browsers: each process uses its own processor, as users' computers do. */
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { readConfig } from '../../../../apps/server/src/config.ts';
import { openContext } from '../../../../apps/server/src/open-context.ts';
import { readSecrets } from '../../../../apps/server/src/secrets.ts';
import { silentBus } from '../../harness/lib/silent-bus.ts';
import { seededRandom } from '../../harness/lib/seeded-random.ts';
import { openCluster } from '../../harness/accounts/cluster.ts';
import { type Copies, createCount } from './count-copies.ts';
import { BrowserPool } from './browser-pool.ts';
import type { Plan, PoolProcessEvent, PoolProcessSetup } from './messages.ts';
import { clientSabotageOf } from './variants.ts';

/** Limits messages that are written and not sent: writing is local and would end before any fault happens. */
const MOST_UNSENT = 50;
/** Timeout, because sabotaged browsers may never send their messages. */
const SENT_WITHIN_MS = 2_000;
/** Concurrent faults and changes. */
const MOST_CHANGES = 4;
const LOOK_EVERY_MS = 1_000;
const LOOK_AGAIN_MS = 10;

const [setup] = (await once(process, 'message')) as [PoolProcessSetup];
const { env, servers, seed, without, plan } = setup;
await using server = await openContext(readConfig(env), readSecrets(env), { bus: silentBus });
await server.ctx.placement.reload();
const cluster = openCluster(server.ctx, servers);
await using pool = new BrowserPool({ cluster, random: seededRandom(seed), sabotage: await clientSabotageOf(without) });
await pool.signUpAll(plan.accounts);
const [begun, used] = [performance.now(), process.cpuUsage()];
await write(pool, plan);
const seconds = (performance.now() - begun) / 1000;
const { user, system } = process.cpuUsage(used);
await pool.renew();
const copies = await settle(pool, plan.quietMs);
notifyParent({ kind: 'ended', result: { tally: pool.tally, copies, seconds, processorMs: (user + system) / 1000 } });
process.disconnect();

async function write(writers: BrowserPool, { messages, offlineEvery, faultEvery }: Plan): Promise<void> {
  const changes = new Set<Promise<void>>();

  async function change(task: () => Promise<void>): Promise<void> {
    if (changes.size >= MOST_CHANGES) await Promise.race(changes);
    const running = task().finally(() => changes.delete(running));
    changes.add(running);
  }

  for (let number = 1; number <= messages; number += 1) {
    const text = `message ${number}`;
    if (number % offlineEvery === 0) await change(() => writers.sendWhileOffline(text));
    else while (!(await writers.say(text))) await sleep(LOOK_AGAIN_MS);
    if (number % faultEvery === 0) await change(() => writers.injectFault());
    notifyParent({ kind: 'written' });
    await untilFewUnsent(writers);
  }
  await Promise.all(changes);
}

async function untilFewUnsent(writers: BrowserPool): Promise<void> {
  const giveUpAt = performance.now() + SENT_WITHIN_MS;
  while (writers.countUnsent() > MOST_UNSENT && performance.now() < giveUpAt) await sleep(LOOK_AGAIN_MS);
}

/** After the last message: waits until all is decrypted, or nothing was for a while. */
async function settle(readers: BrowserPool, patienceMs: number): Promise<Copies> {
  const count = createCount(readers);
  let best = { opened: -1, at: performance.now() };
  for (;;) {
    const isOver = performance.now() - best.at > patienceMs;
    const seen = await count(isOver);
    notifyParent({ kind: 'settling', copies: seen });
    if (seen.opened === seen.wanted || isOver) return seen;
    if (seen.opened > best.opened) best = { opened: seen.opened, at: performance.now() };
    await sleep(LOOK_EVERY_MS);
  }
}

function notifyParent(event: PoolProcessEvent): void {
  process.send!(event);
}

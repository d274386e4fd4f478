// Whatever happens to networks, browsers, devices and servers, every message opens in the end on every device it is for.
// A device is entitled if it is in the signed list at the time of sending, or was unlocked by the vault later: all are.
// With --without NAME one thing is left out, and the claim is that copies then stay closed.
import { loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Report } from './lib/report.ts';
import { runProof } from './lib/run-proof.ts';
import { startServers, type Servers } from './lib/servers.ts';
import { seededRandom } from './mailbox/random.ts';
import { openPlace } from './people/place.ts';
import { type Copies, createCount } from './undecryptable/count-copies.ts';
import { Crowd } from './undecryptable/crowd.ts';
import { handicapOf, VARIANTS } from './undecryptable/variants.ts';

const LONG = { accounts: 60, messages: 50_000, disturbEvery: 25, partEvery: 500, killEvery: 500, quietMs: 180_000 };
const SHORT = { accounts: 4, messages: 100, disturbEvery: 8, partEvery: 50, killEvery: 50, quietMs: 90_000 };
/** With something left out it waits in vain. */
const IN_VAIN_MS = 20_000;
/** Writing is local and at once; without a limit everything would be said before anything happens. */
const MOST_UNSENT = 100;
/** A crowd with something left out may never send what it has. */
const SENT_WITHIN_MS = 2_000;
/** Things that happen at once. */
const MOST_CHANGES = 4;
const DOWN_MS = 500;
const LOOK_EVERY_MS = 1_000;
const LOOK_AGAIN_MS = 10;

await runProof({
  name: 'undecryptable',
  claim: 'no message stays closed on a device that is entitled to it',
  variants: Object.keys(VARIANTS),
  async run(report, { isShort, seed, without, accounts, messages }) {
    const form = isShort || without !== undefined ? SHORT : LONG;
    const plan = { ...form, ...(accounts && { accounts }), ...(messages && { messages }) };
    report.figure('seed', seed);
    const roles = ['api,gateway', 'api,gateway,worker'];
    await using servers = await startServers({ name: 'undecryptable', settings: { fsync: 'off' }, roles });
    const place = openPlace(servers.ctx, servers.processes);
    const handicap = await handicapOf(without);
    await using crowd = new Crowd({ place, random: seededRandom(seed), handicap });
    await crowd.gather(plan.accounts);
    const [begun, used] = [performance.now(), process.cpuUsage()];
    const kills = await disturbAll(report, crowd, servers, plan);
    const seconds = (performance.now() - begun) / 1000;
    const { user, system } = process.cpuUsage(used);
    await crowd.renew();
    const copies = await settle(report, crowd, without === undefined ? plan.quietMs : IN_VAIN_MS);
    report.figure('accounts', plan.accounts);
    report.figure('messages a second', crowd.tally.sent / seconds);
    report.figure('processor milliseconds of all browsers per message', (user + system) / 1000 / crowd.tally.sent);
    report.figure('copies there have to be', copies.wanted);
    report.figure('copies that stay closed', copies.wanted - copies.opened);
    for (const [name, count] of Object.entries({ ...crowd.tally, 'server kills': kills })) report.figure(name, count);
    report.figure('load of the machine', loadavg()[0]!);
    const isComplete = copies.opened === copies.wanted;
    if (without === undefined) {
      report.count('copies of messages on entitled devices', copies.wanted);
      report.check('every copy is there and opens', isComplete, () => describe(copies));
    } else {
      report.check(`without ${without} some stay closed`, !isComplete);
    }
  },
});

type Plan = typeof LONG;

/** Answers how often a server was killed. */
async function disturbAll(report: Report, crowd: Crowd, servers: Servers, plan: Plan): Promise<number> {
  const changes = new Set<Promise<void>>();
  let kills = 0;
  let killing = Promise.resolve();
  const begun = performance.now();

  async function change(task: () => Promise<void>): Promise<void> {
    if (changes.size >= MOST_CHANGES) await Promise.race(changes);
    const running = task().finally(() => changes.delete(running));
    changes.add(running);
  }

  for (let number = 1; number <= plan.messages; number += 1) {
    const text = `message ${number}`;
    if (number % plan.partEvery === 0) await change(() => crowd.part(text));
    else while (!(await crowd.say(text))) await sleep(LOOK_AGAIN_MS);
    if (number % plan.disturbEvery === 0) await change(() => crowd.disturb());
    if (number % plan.killEvery === 0) {
      await killing;
      killing = killOne(servers, kills);
      kills += 1;
      const seconds = (performance.now() - begun) / 1000;
      report.say(`${number} messages in ${seconds.toFixed(0)} s, server killed`);
    }
    await untilFewUnsent(crowd);
  }
  await Promise.all([...changes, killing]);
  return kills;
}

/** One of those that browsers talk to, by turns. Messages go on being written meanwhile. */
async function killOne({ processes }: Servers, turn: number): Promise<void> {
  const victim = processes[turn % processes.length]!;
  victim.signal('SIGKILL');
  await sleep(DOWN_MS);
  await victim.restart();
}

async function untilFewUnsent(crowd: Crowd): Promise<void> {
  const giveUpAt = performance.now() + SENT_WITHIN_MS;
  while (crowd.countUnsent() > MOST_UNSENT && performance.now() < giveUpAt) await sleep(LOOK_AGAIN_MS);
}

/** Nobody writes any more: until all is open, or nothing has opened for a while. */
async function settle(report: Report, crowd: Crowd, patienceMs: number): Promise<Copies> {
  const begun = performance.now();
  const count = createCount(crowd);
  let best = { opened: -1, at: begun };
  for (;;) {
    const isOver = performance.now() - best.at > patienceMs;
    const copies = await count(isOver);
    const seconds = (performance.now() - begun) / 1000;
    report.say(`${seconds.toFixed(1).padStart(6)} s after the last message  ${describe(copies)}`);
    if (copies.opened === copies.wanted || isOver) return copies;
    if (copies.opened > best.opened) best = { opened: copies.opened, at: performance.now() };
    await sleep(LOOK_EVERY_MS);
  }
}

function describe({ wanted, opened, closed }: Copies): string {
  const why = [...closed].map(([name, count]) => `${name} ${count}`).join(', ');
  return `${wanted - opened} of ${wanted} copies closed${why && ` (${why})`}`;
}

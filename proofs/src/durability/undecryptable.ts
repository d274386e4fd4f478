// Despite failures of networks, browsers, devices and servers, every device finally decrypts every message for it.
// A device is entitled if it is in the signed list when the message is sent, or is unlocked by the vault later: all
// are.
// With --without NAME one safeguard is left out, and the claim is that copies then stay undecryptable.
import { loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Report } from '../harness/lib/report.ts';
import { runProof } from '../harness/lib/run-proof.ts';
import { startServers, type Servers } from '../harness/lib/servers.ts';
import { addCopies, type Copies } from './undecryptable/count-copies.ts';
import type { Tally } from './undecryptable/browser-pool.ts';
import type { PoolProcessEvent } from './undecryptable/messages.ts';
import { startPoolProcess } from './undecryptable/start-pool-process.ts';
import { VARIANTS } from './undecryptable/variants.ts';

const LONG = {
  poolProcesses: 2,
  accounts: 60,
  messages: 50_000,
  faultEvery: 50,
  offlineEvery: 500,
  killEvery: 500,
  quietMs: 180_000,
};
const SHORT = {
  poolProcesses: 1,
  accounts: 4,
  messages: 100,
  faultEvery: 8,
  offlineEvery: 50,
  killEvery: 50,
  quietMs: 90_000,
};
/** Shorter for a sabotaged client, whose copies never become readable. */
const SABOTAGED_QUIET_MS = 20_000;
const DOWN_MS = 500;
/** How often the count of undecryptable copies is printed. */
const REPORT_EVERY_MS = 5_000;

await runProof({
  name: 'undecryptable',
  claim: 'no message stays undecryptable on a device that is entitled to it',
  variants: Object.keys(VARIANTS),
  async run(report, { isShort, seed, without, accounts, messages }) {
    const form = isShort || without !== undefined ? SHORT : LONG;
    const asked = { ...form, ...(accounts && { accounts }), ...(messages && { messages }) };
    const plan = {
      ...asked,
      accounts: Math.ceil(asked.accounts / asked.poolProcesses),
      messages: Math.ceil(asked.messages / asked.poolProcesses),
      ...(without !== undefined && { quietMs: SABOTAGED_QUIET_MS }),
    };
    report.figure('seed', seed);
    const roles = ['api,gateway', 'api,gateway,worker'];
    await using servers = await startServers({ name: 'undecryptable', settings: { fsync: 'off' }, roles });
    const killer = createKiller(report, servers, plan.killEvery);
    const addresses = servers.processes.map(({ url }) => ({ url }));
    await using stack = new AsyncDisposableStack();
    const poolProcesses = Array.from({ length: plan.poolProcesses }, (_, index) => {
      const setup = { env: servers.env, servers: addresses, seed: seed + index, without, plan };
      const tell = reportSettling(report, `process ${index + 1}`);
      return stack.use(
        startPoolProcess(setup, (event) => {
          if (event.kind === 'written') killer.count();
          else tell(event);
        }),
      );
    });
    const results = await Promise.all(poolProcesses.map(({ result }) => result));
    await killer.idle();

    const tally = sum(results.map((result) => result.tally));
    const copies = addCopies(results.map((result) => result.copies));
    report.figure('accounts', plan.accounts * plan.poolProcesses);
    report.figure('messages a second', tally.sent / Math.max(...results.map(({ seconds }) => seconds)));
    report.figure(
      'processor milliseconds of all browsers per message',
      results.reduce((total, { processorMs }) => total + processorMs, 0) / tally.sent,
    );
    report.figure('copies expected', copies.wanted);
    report.figure('copies that stay undecryptable', copies.wanted - copies.opened);
    for (const [name, count] of Object.entries({ ...tally, 'server kills': killer.kills })) report.figure(name, count);
    report.figure('load of the machine', loadavg()[0]!);
    const isComplete = copies.opened === copies.wanted;
    if (without === undefined) {
      report.count('copies of messages on entitled devices', copies.wanted);
      report.check('every copy arrived and is decrypted', isComplete, () => describe(copies));
    } else {
      report.check(`without ${without} some copies stay undecryptable`, !isComplete);
    }
  },
});

interface Killer {
  kills: number;
  /** Counts one more written message. */
  count(): void;
  idle(): Promise<void>;
}

/** Kills one server after every `every` messages, in turn. */
function createKiller(report: Report, { processes }: Servers, every: number): Killer {
  const begun = performance.now();
  let written = 0;
  let killing = Promise.resolve();
  const killer: Killer = {
    kills: 0,
    count() {
      written += 1;
      if (written % every !== 0) return;
      const victim = processes[killer.kills % processes.length]!;
      killer.kills += 1;
      killing = killing.then(async () => {
        victim.signal('SIGKILL');
        await sleep(DOWN_MS);
        await victim.restart();
      });
      report.say(`${written} messages after ${secondsSince(begun)} s, server killed`);
    },
    idle: () => killing,
  };
  return killer;
}

function reportSettling(report: Report, name: string): (event: PoolProcessEvent) => void {
  let reportedAt = -Infinity;
  return (event) => {
    if (event.kind !== 'settling') return;
    const { copies } = event;
    if (copies.opened < copies.wanted && performance.now() - reportedAt < REPORT_EVERY_MS) return;
    reportedAt = performance.now();
    report.say(`${name}, all messages are written: ${describe(copies)}`);
  };
}

function sum(tallies: Tally[]): Tally {
  const total: Tally = { sent: 0, cuts: 0, crashes: 0, wipes: 0, signIns: 0, signOuts: 0 };
  for (const tally of tallies) {
    for (const name of Object.keys(total) as (keyof Tally)[]) total[name] += tally[name];
  }
  return total;
}

function describe({ wanted, opened, closed }: Copies): string {
  const why = [...closed].map(([name, count]) => `${name} ${count}`).join(', ');
  return `${wanted - opened} of ${wanted} copies undecryptable${why && ` (${why})`}`;
}

function secondsSince(begun: number): string {
  return ((performance.now() - begun) / 1000).toFixed(0);
}

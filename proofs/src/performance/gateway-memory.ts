// A connected account needs about as much of the gateway's memory a minute after its messages as before them.
// With --without dropping the gateway keeps entries it has sent, and the claim is that this proof notices.
import { setTimeout as sleep } from 'node:timers/promises';
import { join } from 'node:path';
import { freePort, startRole } from '@dostar/tools/servers';
import { inspect } from '../harness/lib/inspect.ts';
import type { Inspector } from '../harness/lib/inspect.ts';
import { REPO_ROOT } from '../harness/lib/engines.ts';
import type { Report } from '../harness/lib/report.ts';
import { runProof } from '../harness/lib/run-proof.ts';
import { ORIGIN } from '../harness/lib/servers.ts';
import { startLoadFixture } from '../harness/load/load-fixture.ts';
import type { LoadFixture } from '../harness/load/load-fixture.ts';
import { startLoad } from '../harness/load/start-load.ts';
import type { Load } from '../harness/load/start-load.ts';
import { addCursors } from '../harness/load/deployment.ts';
import { sabotagedServer } from '../harness/sabotage/server.ts';

const PEOPLE = 400;
/** Log entries per account: messages received and copies of messages sent. */
const ENTRIES = 150;
const CONNECTIONS = 32;
const FULL = { restMs: 60_000 };
const SHORT = { restMs: 10_000 };
const GOAL = 1.3;

const WITHOUT_DROPPING = [
  {
    file: 'features/messaging/mailbox/account-feed.ts',
    phrase: 'if (seq <= sentToAll) this.#drop(seq);',
    replacement: 'void sentToAll, seq;',
  },
];

interface Measured {
  idle: number;
  after: number;
}

await runProof({
  name: 'gateway-memory',
  claim: `a minute after ${ENTRIES} entries a connected account costs the gateway at most ${GOAL} times what it cost before`,
  variants: ['dropping'],
  async run(report, { isShort, isIntact, without }) {
    const { restMs } = isShort ? SHORT : FULL;
    if (isShort) report.say('The short form: ten seconds after the entries instead of a minute.');
    await using loadFixture = await startLoadFixture({ name: 'gateway-memory', people: PEOPLE });
    if (without === undefined) {
      const { idle, after } = await measure(report, loadFixture, restMs);
      report.figure('KB per connected account before its entries', idle / 1024);
      report.figure('KB per connected account after its entries', after / 1024);
      report.ratio('memory after the entries / before', after / idle, { atMost: GOAL });
    }
    if (isIntact && without === undefined) return;
    const { idle, after } = await measure(report, loadFixture, restMs, sabotagedServer(WITHOUT_DROPPING));
    report.say(`without dropping what was sent: ${(after / idle).toFixed(2)} times`);
    report.check('a gateway that keeps sent entries is noticed', after / idle > GOAL);
  },
});

async function measure(
  report: Report,
  loadFixture: LoadFixture,
  restMs: number,
  program: { entry?: string; env?: Record<string, string> } = {},
): Promise<Measured> {
  const { entry, env } = program;
  const start = async (roles: string, extra: Record<string, string> = {}) => {
    const log = join(REPO_ROOT, '.dev/proofs/gateway-memory', `${roles}.log`);
    return startRole({
      roles,
      port: await freePort(),
      env: { ...loadFixture.env, ORIGIN, ...env, ...extra },
      log,
      ...(entry !== undefined && { entry }),
    });
  };
  const inspectorPort = await freePort();
  await using api = await start('api');
  await using gateway = await start('gateway', { NODE_OPTIONS: `--inspect=127.0.0.1:${inspectorPort}` });
  using inspector = await inspect(inspectorPort);
  const connect = async (): Promise<Load> =>
    startLoad({
      people: await addCursors(loadFixture, loadFixture.people),
      apiPort: api.port,
      gatewayPort: gateway.port,
      origin: ORIGIN,
      connections: CONNECTIONS,
    });

  // The first sockets compile code and fill caches: that memory does not belong to the accounts.
  {
    await using warming = await connect();
    await exchange(report, warming, ENTRIES / 10);
  }
  const none = await settle(inspector);
  await using load = await connect();
  const idle = (await settle(inspector)) - none;
  await exchange(report, load, ENTRIES);
  await sleep(restMs);
  const after = (await settle(inspector)) - none;
  return { idle: idle / PEOPLE, after: after / PEOPLE };
}

async function exchange(report: Report, load: Load, entries: number): Promise<void> {
  const wanted = (PEOPLE * entries) / 2;
  for (let arrived = 0; arrived < wanted;) {
    const round = await load.run({ warmSeconds: 0, seconds: 1, rate: 0 });
    arrived += round.arrived;
    const { refused, missing, unexpected, disordered } = round.totals;
    report.check('messages arrived once and in order', refused + missing + unexpected + disordered === 0);
  }
}

/** The lowest of five measurements: a timer or a closing socket may hold memory during one of them. */
async function settle(inspector: Inspector): Promise<number> {
  const looks: number[] = [];
  for (let look = 0; look < 5; look += 1) {
    await sleep(1_000);
    looks.push(await inspector.measureMemory());
  }
  return Math.min(...looks);
}

// The encrypted core does what e2ee.md promises, with real servers and headless clients; each defence is seen to matter.
// With --without NAME one defence is taken away, and the claim is that its check notices.
import { CHECKS, type CheckName, type Variant, VARIANTS } from './e2ee/checks.ts';
import { type Scene, Refuted, Trial } from './e2ee/trial.ts';
import type { Report } from './lib/report.ts';
import { runProof } from './lib/run-proof.ts';
import { startServers, type Servers } from './lib/servers.ts';
import { formatTable } from './lib/table.ts';
import { raisePriority } from './load/priority.ts';
import { openPlace } from './people/place.ts';
import { startPost } from './people/post.ts';
import { loadSabotagedClient } from './sabotage/client.ts';
import { startSabotaged } from './e2ee/sabotaged-server.ts';

const SETTINGS = { fsync: 'off' };
const ROLES = ['api,gateway', 'api,gateway,worker'];
const PATIENCE_MS = 90_000;
/** Long enough for a message that opens to have opened. */
const WATCH_MS = 1_500;
/** Without its defence a check waits in vain: this long, and several times what it took with it. */
const IN_VAIN_MS = 8_000;
const IN_VAIN_TIMES = 4;
/** The engines share one core: more at once would only wait for each other. */
const HONEST_AT_ONCE = 3;
const VARIANTS_AT_ONCE = 4;
/** What was found instead may be long. */
const SHOWN = 160;

await runProof({
  name: 'e2ee',
  claim: 'the encrypted core keeps its promises, and each check fails without the defence it is about',
  variants: Object.keys(VARIANTS),
  async run(report, { isIntact, without }) {
    using _ = raisePriority();
    await using post = await startPost('e2ee');
    const env = { SMTP_URL: post.smtpUrl };
    await using servers = await startServers({ name: 'e2ee', settings: SETTINGS, roles: ROLES, env });
    const honest: Scene = {
      ctx: servers.ctx,
      place: openPlace(servers.ctx, servers.processes),
      post,
      defences: {},
      program: undefined,
      isWithoutLocks: false,
    };
    const variants = Object.entries(VARIANTS).filter(([name]) => without === undefined || name === without);
    const wanted = new Set(variants.map(([, { check }]) => check));
    const names = (Object.keys(CHECKS) as CheckName[]).filter((name) => without === undefined || wanted.has(name));
    const took = await proveHeld(report, honest, names);
    if (!isIntact) await proveNoticed(report, servers, honest, variants, took);
  },
});

/** Answers how long each took to show what it claims. */
async function proveHeld(report: Report, scene: Scene, names: CheckName[]): Promise<Map<CheckName, number>> {
  const took = new Map<CheckName, number>();
  await together(HONEST_AT_ONCE, names, async (name) => {
    const begun = performance.now();
    const { slowestMs, failure } = await run(scene, name, { patienceMs: PATIENCE_MS, watchMs: WATCH_MS });
    took.set(name, slowestMs);
    report.say(`${seconds(performance.now() - begun)}  ${failure === undefined ? 'held' : 'FAILED'}  ${name}`);
    report.check('behaviours and pitfalls', failure === undefined, () => `${name}: ${describe(failure)}`);
  });
  return took;
}

async function proveNoticed(
  report: Report,
  servers: Servers,
  honest: Scene,
  variants: [string, Variant][],
  took: Map<CheckName, number>,
): Promise<void> {
  const rows: string[][] = [];
  await together(VARIANTS_AT_ONCE, variants, async ([name, variant]) => {
    await using scene = await sabotage(servers, honest, name, variant);
    const patienceMs = IN_VAIN_MS + IN_VAIN_TIMES * (took.get(variant.check) ?? 0);
    // What must not happen does here: it is waited for, or a machine that stood still would have noticed nothing.
    const { failure } = await run(scene, variant.check, { patienceMs, watchMs: patienceMs });
    rows.push([`without ${name}`, variant.check, describe(failure).slice(0, SHOWN)]);
    // Only its own claim counts: a proof that stumbles elsewhere has noticed nothing.
    report.check('defences that are missed', failure instanceof Refuted, () => `${name}: ${describe(failure)}`);
  });
  report.say(`\n${formatTable(rows)}`);
}

async function sabotage(
  servers: Servers,
  honest: Scene,
  name: string,
  { defences = {}, client, server, isWithoutLocks }: Variant,
): Promise<Scene & AsyncDisposable> {
  const program = client && (await loadSabotagedClient(name, client));
  const started = server && (await startSabotaged(servers, name, server));
  const place = started ? openPlace(servers.ctx, [started]) : honest.place;
  return {
    ...honest,
    place,
    defences,
    program,
    isWithoutLocks: isWithoutLocks === true,
    async [Symbol.asyncDispose]() {
      await started?.[Symbol.asyncDispose]();
    },
  };
}

async function run(
  scene: Scene,
  name: CheckName,
  waits: { patienceMs: number; watchMs: number },
): Promise<{ slowestMs: number; failure: unknown }> {
  const trial = new Trial(scene, waits);
  let failure: unknown;
  try {
    await CHECKS[name](trial);
  } catch (error) {
    failure = error;
  }
  await trial[Symbol.asyncDispose]();
  return { slowestMs: trial.slowestMs, failure };
}

async function together<T>(width: number, items: T[], act: (item: T) => Promise<void>): Promise<void> {
  const left = [...items];
  await Promise.all(
    Array.from({ length: width }, async () => {
      for (let item = left.shift(); item !== undefined; item = left.shift()) await act(item);
    }),
  );
}

function describe(failure: unknown): string {
  if (failure === undefined) return 'not noticed';
  if (failure instanceof Refuted) return `noticed: not ${failure.message}`;
  return failure instanceof Error ? (failure.stack ?? failure.message) : 'stopped by something that is no error';
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1).padStart(6)} s`;
}

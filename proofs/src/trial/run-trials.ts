/** Runs checks of the encrypted core against real servers, then each again without the defence that it is about. */
import type { Edge } from '@dostar/client/testing/browser';
import type { Arguments } from '../lib/arguments.ts';
import type { Report } from '../lib/report.ts';
import { startServers, type Servers } from '../lib/servers.ts';
import { formatTable } from '../lib/table.ts';
import { raisePriority } from '../load/priority.ts';
import { openPlace } from '../people/place.ts';
import { startPost } from '../people/post.ts';
import type { Change } from '../sabotage/change.ts';
import { loadSabotagedClient } from '../sabotage/client.ts';
import { startSabotaged } from './sabotaged-server.ts';
import { Refuted, type Scene, Trial } from './trial.ts';

type Checks<N extends string> = Record<N, (trial: Trial) => Promise<void>>;

export interface Variant<N extends string> {
  /** The check that must notice. */
  check: N;
  defences?: NonNullable<Edge['defences']>;
  client?: Change[];
  server?: Change[];
  isWithoutLocks?: true;
}

interface Trials<N extends string> {
  name: string;
  checks: Checks<N>;
  variants: Record<string, Variant<N>>;
}

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

export async function runTrials<N extends string>(
  { name, checks, variants }: Trials<N>,
  report: Report,
  { isIntact, without }: Arguments,
): Promise<void> {
  using _ = raisePriority();
  await using post = await startPost(name);
  const env = { SMTP_URL: post.smtpUrl };
  await using servers = await startServers({ name, settings: SETTINGS, roles: ROLES, env });
  const honest: Scene = {
    ctx: servers.ctx,
    place: openPlace(servers.ctx, servers.processes),
    post,
    defences: {},
    program: undefined,
    isWithoutLocks: false,
  };
  const chosen = Object.entries(variants).filter(([variant]) => without === undefined || variant === without);
  const wanted = new Set(chosen.map(([, { check }]) => check));
  const names = (Object.keys(checks) as N[]).filter((check) => without === undefined || wanted.has(check));
  const took = await proveHeld(report, honest, checks, names);
  if (!isIntact) await proveNoticed(report, servers, honest, checks, chosen, took);
}

/** Answers how long each took to show what it claims. */
async function proveHeld<N extends string>(
  report: Report,
  scene: Scene,
  checks: Checks<N>,
  names: N[],
): Promise<Map<N, number>> {
  const took = new Map<N, number>();
  await together(HONEST_AT_ONCE, names, async (name) => {
    const begun = performance.now();
    const { slowestMs, failure } = await run(scene, checks[name], { patienceMs: PATIENCE_MS, watchMs: WATCH_MS });
    took.set(name, slowestMs);
    report.say(`${seconds(performance.now() - begun)}  ${failure === undefined ? 'held' : 'FAILED'}  ${name}`);
    report.check('behaviours and pitfalls', failure === undefined, () => `${name}: ${describe(failure)}`);
  });
  return took;
}

async function proveNoticed<N extends string>(
  report: Report,
  servers: Servers,
  honest: Scene,
  checks: Checks<N>,
  variants: [string, Variant<N>][],
  took: Map<N, number>,
): Promise<void> {
  const rows: string[][] = [];
  await together(VARIANTS_AT_ONCE, variants, async ([name, variant]) => {
    await using scene = await sabotage(servers, honest, name, variant);
    const patienceMs = IN_VAIN_MS + IN_VAIN_TIMES * (took.get(variant.check) ?? 0);
    // What must not happen does here: it is waited for, or a machine that stood still would have noticed nothing.
    const { failure } = await run(scene, checks[variant.check], { patienceMs, watchMs: patienceMs });
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
  { defences = {}, client, server, isWithoutLocks }: Variant<string>,
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
  check: (trial: Trial) => Promise<void>,
  waits: { patienceMs: number; watchMs: number },
): Promise<{ slowestMs: number; failure: unknown }> {
  const trial = new Trial(scene, waits);
  let failure: unknown;
  try {
    await check(trial);
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

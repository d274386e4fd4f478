/** Runs a tier of the list of parts and prints its cost. */
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { findRunning, listRecords, stopRecord } from '../servers/records.ts';
import { balance, saveDurations, readDurations } from './durations.ts';
import { FORMER_PARTS, presentName } from './former-names.ts';
import { TIERS } from './part.ts';
import type { Part, Tier } from './part.ts';
import { listParts } from './parts.ts';
import { formatCounts, formatOutcomes, printOutcome, runParts } from './run-parts.ts';
import type { Outcome } from './run-parts.ts';
import { formatSlowest } from './slowest.ts';
import { formatSeconds } from './table.ts';

/** With two parts no core idles while one part waits. */
const CONCURRENCY = 2;

/** Time limits in seconds on two quiet cores. */
const BUDGETS: Record<Tier, number> = { check: 180, gate: 1200, nightly: Number.POSITIVE_INFINITY };

/** The parts of a tier, or those of these names with what they need. */
export function chooseParts(tier: Tier, asked: string[] = []): Part[] {
  const all = listParts();
  const names = asked.map((name) => presentName(FORMER_PARTS, name));
  const unknown = names.filter((name) => !all.some((part) => part.name === name));
  if (unknown.length > 0) throw new Error(`There is no part ${unknown.join(', ')}. There are:\n${describe(all)}`);
  if (names.length === 0) return all.filter((part) => TIERS.indexOf(part.tier) <= TIERS.indexOf(tier));
  const wanted = new Set(names);
  for (const part of all.toReversed()) if (wanted.has(part.name)) for (const name of part.needs ?? []) wanted.add(name);
  return all.filter(({ name }) => wanted.has(name));
}

function describe(parts: Part[]): string {
  return parts.map(({ name, tier }) => `  ${name} (${tier})`).join('\n');
}

/** Runs parts, prints each outcome when it ends and the table last. Stops servers that tests started. */
export async function runTier(
  tier: Tier,
  parts: Part[],
  onOutcome: (outcome: Outcome) => void = () => {},
): Promise<Outcome[]> {
  const begun = performance.now();
  const busyBefore = readBusySeconds();
  const running = new Set(listRecords().flatMap(({ name }) => (findRunning(name) ? [name] : [])));
  const outcomes: Outcome[] = [];
  for await (const outcome of runParts(balance(parts, readDurations()), CONCURRENCY)) {
    outcomes.push(outcome);
    printOutcome(outcome);
    onOutcome(outcome);
  }
  saveDurations(outcomes);
  const seconds = (performance.now() - begun) / 1000;
  const busy = readBusySeconds() - busyBefore;
  if (tier !== 'check') await stopServers(running);
  console.log(`\n${formatOutcomes(outcomes)}`);
  const tests = outcomes.flatMap((outcome) => outcome.tests ?? []);
  if (tests.length > 0) console.log(`\n${formatSlowest(tests)}`);
  const cores = (busy / seconds).toFixed(2);
  const over = seconds - BUDGETS[tier];
  console.log(
    `\n  ${formatSeconds(seconds * 1000)} in all, ${cores} of ${availableParallelism()} cores busy` +
      `${over > 0 ? `, ${Math.round(over)} s over the budget of ${BUDGETS[tier]} s` : ''}; ${formatCounts(outcomes)}`,
  );
  return outcomes;
}

/** Keeps test engines for the next `./dev check`, but leaves a CI machine as it was. */
async function stopServers(before: Set<string>): Promise<void> {
  await Promise.all(
    listRecords()
      .filter((record) => !before.has(record.name))
      .map(stopRecord),
  );
}

const TICKS_PER_SECOND = 100;

/** CPU seconds of all cores since the machine started, engines included. 0 on systems without /proc. */
function readBusySeconds(): number {
  try {
    const [line = ''] = readFileSync('/proc/stat', 'utf8').split('\n');
    const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0] = line.split(/\s+/).slice(1).map(Number);
    return (user + nice + system + irq + softirq) / TICKS_PER_SECOND;
  } catch {
    return 0;
  }
}

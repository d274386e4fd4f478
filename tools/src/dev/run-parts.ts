import { loadavg } from 'node:os';
import type { Part, PartResult } from './part.ts';
import { formatSeconds, formatTable } from './table.ts';

export interface Outcome extends PartResult {
  name: string;
  budget: number;
  milliseconds: number;
}

/**
 * Runs each part as soon as its needs have passed, at most `concurrency` at a time, and yields outcomes as they end.
 */
export async function* runParts(parts: Part[], concurrency: number): AsyncGenerator<Outcome> {
  const waiting = [...parts];
  const running = new Map<string, Promise<Outcome>>();
  const outcomes = new Map<string, Outcome>();
  const names = new Set(parts.map(({ name }) => name));
  let isAloneRunning = false;

  // Needs that are not part of this run count as done.
  const state = ({ needs = [] }: Part): 'ready' | 'waiting' | 'blocked' => {
    const wanted = needs.filter((name) => names.has(name)).map((name) => outcomes.get(name));
    if (wanted.some((outcome) => outcome !== undefined && outcome.failed > 0)) return 'blocked';
    return wanted.includes(undefined) ? 'waiting' : 'ready';
  };
  const mayStart = (part: Part): boolean =>
    !isAloneRunning && running.size < concurrency && (!part.isAlone || running.size === 0) && state(part) === 'ready';

  while (waiting.length + running.size > 0) {
    for (const part of waiting.filter((each) => state(each) === 'blocked')) {
      waiting.splice(waiting.indexOf(part), 1);
      const output = `It needs ${part.needs?.join(', ')}, which failed.`;
      const outcome = { name: part.name, budget: part.budget, milliseconds: 0, passed: 0, failed: 1, output };
      outcomes.set(part.name, outcome);
      yield outcome;
    }
    for (let part = waiting.find(mayStart); part !== undefined; part = waiting.find(mayStart)) {
      waiting.splice(waiting.indexOf(part), 1);
      isAloneRunning = part.isAlone === true;
      running.set(part.name, runPart(part));
    }
    if (running.size === 0) continue;
    const outcome = await Promise.race(running.values());
    running.delete(outcome.name);
    isAloneRunning = false;
    outcomes.set(outcome.name, outcome);
    yield outcome;
  }
}

export async function runPart(part: Part): Promise<Outcome> {
  const begun = performance.now();
  const result = await part
    .run((text) => process.stdout.write(text))
    .catch((error: unknown): PartResult => ({ passed: 0, failed: 1, output: String(error) }));
  return { name: part.name, budget: part.budget, ...result, milliseconds: performance.now() - begun };
}

export function describeOutcome({ passed, failed, milliseconds, budget }: Outcome): string {
  const over = milliseconds / 1000 - budget;
  const overrun = over > 0 ? `, ${Math.round(over)} s over its budget` : '';
  if (failed > 0) return `${failed} failed, ${passed} passed${overrun}`;
  if (passed === 0) return 'not checked';
  return `${passed === 1 ? 'ok' : `${passed} passed`}${overrun}`;
}

export function printOutcome(outcome: Outcome): void {
  const { name, milliseconds, cpuMs = 0, failed, output } = outcome;
  const load = loadavg()[0]!.toFixed(1);
  const columns = [formatSeconds(milliseconds).padStart(9), `${formatSeconds(cpuMs).padStart(9)} CPU`, `load ${load}`];
  console.log(`  ${name.padEnd(24)} ${columns.join('  ')}  ${describeOutcome(outcome)}`);
  if (failed > 0 && output !== '') console.log(`\n── ${name} ${'─'.repeat(Math.max(0, 76 - name.length))}\n${output}`);
}

export function formatOutcomes(outcomes: Outcome[]): string {
  const head = ['part', 'wall', 'CPU', 'budget', ''];
  const rows = outcomes.map((one) => [
    one.name,
    formatSeconds(one.milliseconds),
    formatSeconds(one.cpuMs ?? 0),
    `${one.budget} s`,
    describeOutcome(one),
  ]);
  return formatTable([head, ...rows]);
}

export function formatCounts(outcomes: Outcome[]): string {
  const passed = outcomes.reduce((sum, outcome) => sum + outcome.passed, 0);
  const failed = outcomes.reduce((sum, outcome) => sum + outcome.failed, 0);
  return `${passed} passed, ${failed} failed`;
}

import type { Part, PartResult } from './parts.ts';
import { formatSeconds, formatTable } from './table.ts';

export interface Outcome extends PartResult {
  name: string;
  milliseconds: number;
}

export async function runPart(part: Part): Promise<Outcome> {
  const begun = performance.now();
  const result = await part
    .run()
    .catch((error: unknown): PartResult => ({ passed: 0, failed: 1, output: String(error) }));
  return { name: part.name, ...result, milliseconds: performance.now() - begun };
}

/** So many at once; each outcome as soon as it is there. */
export async function* runParts(parts: Part[], lanes: number): AsyncGenerator<Outcome> {
  const waiting = [...parts];
  const running = new Set<Promise<Outcome>>();
  while (waiting.length + running.size > 0) {
    while (running.size < lanes && waiting.length > 0) running.add(runPart(waiting.shift()!));
    const [ended, outcome] = await Promise.race([...running].map(async (one) => [one, await one] as const));
    running.delete(ended);
    yield outcome;
  }
}

export function describeOutcome(outcome: Outcome): string {
  if (outcome.failed > 0) return `${outcome.failed} failed, ${outcome.passed} passed`;
  if (outcome.passed === 0) return 'not checked';
  return outcome.passed === 1 ? 'ok' : `${outcome.passed} passed`;
}

export function printFailures(outcomes: Outcome[]): void {
  for (const outcome of outcomes.filter(({ failed }) => failed > 0)) {
    console.log(`\n── ${outcome.name} ${'─'.repeat(Math.max(0, 76 - outcome.name.length))}\n${outcome.output}`);
  }
}

export function formatOutcomes(outcomes: Outcome[]): string {
  return formatTable(outcomes.map((one) => [one.name, formatSeconds(one.milliseconds), describeOutcome(one)]));
}

export function formatCounts(outcomes: Outcome[]): string {
  const passed = outcomes.reduce((sum, outcome) => sum + outcome.passed, 0);
  const failed = outcomes.reduce((sum, outcome) => sum + outcome.failed, 0);
  return `${passed} passed, ${failed} failed`;
}

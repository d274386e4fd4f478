/**
 * The output of a proof: what it does, how many checks of each kind it made, what it measured, and a last line of
 * JSON. The exit code is 0 only if every check held, every ratio reached its goal and something was checked at all.
 */
import { formatTable } from './table.ts';

interface Tally {
  made: number;
  failed: number;
}

interface Ratio {
  value: number;
  goal?: Goal | undefined;
}

export type Goal = { atLeast: number } | { atMost: number };

const SHOWN_FAILURES = 20;

export class Report {
  readonly proof: string;
  readonly #checks = new Map<string, Tally>();
  readonly #figures = new Map<string, number | string>();
  readonly #ratios = new Map<string, Ratio>();
  #failures = 0;
  #part = '';

  constructor(proof: string, claim: string) {
    this.proof = proof;
    console.log(`${proof}: ${claim}\n`);
  }

  get hasFailed(): boolean {
    return this.#failures > 0;
  }

  say(text: string): void {
    console.log(text);
  }

  /** Counts a check under its kind. A failed one is printed and makes the proof fail. */
  check(kind: string, holds: boolean, detail?: () => string): void {
    this.count(kind, 1);
    if (holds) return;
    this.#checks.get(kind)!.failed += 1;
    this.fail(`${kind}${detail ? `: ${detail()}` : ''}`);
  }

  /** Counts checks that were made elsewhere and held. */
  count(kind: string, made: number): void {
    const tally = this.#checks.get(kind) ?? { made: 0, failed: 0 };
    tally.made += made;
    this.#checks.set(kind, tally);
  }

  fail(reason: string): void {
    this.#failures += 1;
    if (this.#failures <= SHOWN_FAILURES) console.log(`  FAILED  ${reason}`);
  }

  /** Adds `part` to the names of figures and ratios that the task reports. */
  async within(part: string, task: () => Promise<void>): Promise<void> {
    this.#part = `, ${part}`;
    try {
      await task();
    } finally {
      this.#part = '';
    }
  }

  figure(name: string, value: number | string): void {
    this.#figures.set(`${name}${this.#part}`, typeof value === 'number' ? round(value) : value);
  }

  ratio(name: string, value: number, goal?: Goal): void {
    this.#ratios.set(`${name}${this.#part}`, { value: round(value), goal });
    if (goal && !reaches(value, goal)) this.fail(`${name} is ${round(value)}, ${describeGoal(goal)}`);
  }

  /** Prints the tables and the closing line, and sets the exit code. Call it once, last. */
  finish(): void {
    const made = [...this.#checks.values()].reduce((sum, tally) => sum + tally.made, 0);
    if (made === 0 && this.#ratios.size === 0) this.fail('nothing was checked');
    const verdict = this.hasFailed ? 'fails' : 'holds';
    this.#printTables();
    const checks = Object.fromEntries([...this.#checks].map(([kind, tally]) => [kind, tally.made]));
    const ratios = Object.fromEntries([...this.#ratios].map(([name, { value }]) => [name, value]));
    console.log(
      JSON.stringify({ proof: this.proof, verdict, figures: Object.fromEntries(this.#figures), ratios, checks }),
    );
    process.exitCode = verdict === 'holds' ? 0 : 1;
  }

  #printTables(): void {
    const checks = [...this.#checks].map(([kind, { made, failed }]) => [
      kind,
      made,
      failed === 0 ? 'held' : `${failed} failed`,
    ]);
    const ratios = [...this.#ratios].map(([name, { value, goal }]) => [name, value, goal ? describeGoal(goal) : '']);
    if (checks.length > 0) console.log(`\nChecks\n${formatTable(checks)}`);
    if (this.#figures.size > 0) console.log(`\nFigures\n${formatTable([...this.#figures])}`);
    if (ratios.length > 0) console.log(`\nRatios\n${formatTable(ratios)}`);
    console.log('');
  }
}

function reaches(value: number, goal: Goal): boolean {
  return 'atLeast' in goal ? value >= goal.atLeast : value <= goal.atMost;
}

function describeGoal(goal: Goal): string {
  return 'atLeast' in goal ? `goal: at least ${goal.atLeast}` : `goal: at most ${goal.atMost}`;
}

function round(value: number): number {
  return Number(value.toPrecision(6));
}

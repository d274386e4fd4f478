/** How the inputs of each route ended, and what they cost. */
import { median } from '../load/numbers.ts';

/** A route's median is of use once it has this many batches. */
const KNOWN_AFTER = 6;
/** The median is of the latest batches: it is asked for after each one. */
const KEPT = 101;

export class RouteTally {
  readonly statuses = new Map<number, number>();
  inputs = 0;
  hasSucceeded = false;
  readonly #costs: number[] = [];

  note(status: number): void {
    this.inputs += 1;
    this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1);
  }

  /** Milliseconds of CPU per input of one batch. */
  noteCost(ms: number): void {
    this.#costs.push(ms);
    if (this.#costs.length > KEPT) this.#costs.shift();
  }

  get isKnown(): boolean {
    return this.#costs.length >= KNOWN_AFTER;
  }

  get medianMs(): number {
    return this.#costs.length === 0 ? 0 : median(this.#costs);
  }

  get reached(): number {
    return [...this.statuses].reduce((sum, [status, count]) => sum + (isReached(status) ? count : 0), 0);
  }

  describe(): string {
    return [...this.statuses]
      .toSorted(([one], [other]) => one - other)
      .map(([status, count]) => `${status}×${count}`)
      .join(' ');
  }
}

/** Past authentication and limits. Sockets: it stayed open (101) or was closed for what was said. */
function isReached(status: number): boolean {
  return (status >= 101 && status < 500 && status !== 401 && status !== 429) || status >= 1_000;
}

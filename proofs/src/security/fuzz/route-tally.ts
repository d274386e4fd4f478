/** How the inputs of each route ended, and what they cost. */
import { median } from '../../harness/load/statistics.ts';

/** A route's median counts once it has this many batches. */
const KNOWN_AFTER = 6;
/** Number of latest batches in the median: more would make it slow, since it is computed after each batch. */
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

  /** CPU milliseconds per input of one batch. */
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
    return this.#count(isReached);
  }

  get succeeded(): number {
    return this.#count((status) => status >= 101 && status < 400);
  }

  /** Refused as forbidden or not found, by the handler or before it. */
  get denied(): number {
    return this.#count((status) => status === 403 || status === 404);
  }

  #count(isCounted: (status: number) => boolean): number {
    return [...this.statuses].reduce((sum, [status, count]) => sum + (isCounted(status) ? count : 0), 0);
  }

  describe(): string {
    return [...this.statuses]
      .toSorted(([one], [other]) => one - other)
      .map(([status, count]) => `${status}×${count}`)
      .join(' ');
  }
}

/** Statuses from handlers and from the schemas of their bodies. 403 and 404 may come from an earlier check. */
const HANDLED = [101, 400, 409, 410, 412, 422];

/** For sockets: it stayed open (101) or was closed because of the frame. */
function isReached(status: number): boolean {
  return (status >= 200 && status < 400) || HANDLED.includes(status) || status >= 1_000;
}

/** Counts actions over all histories. */
export class Tally {
  readonly counts = new Map<string, number>();

  count(what: string, times = 1): void {
    this.counts.set(what, (this.counts.get(what) ?? 0) + times);
  }

  get(what: string): number {
    return this.counts.get(what) ?? 0;
  }
}

import { networksOf } from '../http/visitor-address.ts';

/** Counts open connections for each visitor, and for the larger networks that contain an IPv6 visitor. */
export class ConnectionsPerNetwork {
  readonly #max: number;
  readonly #counts = new Map<string, number>();

  constructor(max: number) {
    this.#max = max;
  }

  isFull(visitor: string): boolean {
    return networksOf(visitor).some(({ network, factor }) => this.#countOf(network) >= this.#max * factor);
  }

  add(visitor: string, change: 1 | -1): void {
    for (const { network } of networksOf(visitor)) {
      const count = this.#countOf(network) + change;
      if (count > 0) this.#counts.set(network, count);
      else this.#counts.delete(network);
    }
  }

  #countOf(network: string): number {
    return this.#counts.get(network) ?? 0;
  }
}

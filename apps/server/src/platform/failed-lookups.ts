/**
 * Bounds how many look-ups of wrong credentials a visitor can cause. So many are made at once and the rest wait, so that a
 * burst of right ones, such as a school after a restart, is served in turn. After too many wrong ones nothing is looked up
 * until the window ends.
 */
import { AppError } from '@dostar/protocol/errors';
import type { ErrorCode } from '@dostar/protocol/errors';
import { Gate } from './gate.ts';
import { networksOf } from './visitor-address.ts';

interface Options {
  /** Wrong ones within the window. */
  points: number;
  perSeconds: number;
  atOnce: number;
}

interface Attempts {
  most: number;
  wrong: number;
  endsAt: number;
  gate: Gate;
  /** Those that wait, too. */
  underWay: number;
}

const WRONG: ErrorCode[] = ['unauthenticated', 'no_sign_up', 'rate_limited'];

/** Of one visitor; beyond it the answer is `unavailable`. */
const MAX_WAITING = 10_000;

export class FailedLookups {
  readonly #options: Options;
  readonly #byNetwork = new Map<string, Attempts>();
  #sweepAt = 0;

  constructor(options: Options) {
    this.#options = options;
  }

  /** `undefined` and these refusals mean wrong. Throws `rate_limited` once there were too many of those. */
  async run<T>(visitor: string, look: () => Promise<T>): Promise<T> {
    const all = this.#attemptsOf(visitor);
    for (const attempts of all) attempts.underWay += 1;
    try {
      return await all[0]!.gate.run(() => this.#look(all, look));
    } finally {
      for (const attempts of all) attempts.underWay -= 1;
    }
  }

  async #look<T>(all: Attempts[], look: () => Promise<T>): Promise<T> {
    for (const attempts of all) requireFew(attempts, attempts.most - 1);
    try {
      const found = await look();
      if (found === undefined) count(all);
      return found;
    } catch (error) {
      if (error instanceof AppError && WRONG.includes(error.code)) count(all);
      throw error;
    }
  }

  #attemptsOf(visitor: string): Attempts[] {
    const now = performance.now();
    if (now >= this.#sweepAt) this.#sweep(now);
    const endsAt = now + this.#options.perSeconds * 1000;
    return networksOf(visitor).map(({ network, factor }) => {
      const known = this.#byNetwork.get(network);
      if (known && known.endsAt <= now) Object.assign(known, { wrong: 0, endsAt });
      if (known) return known;
      const gate = new Gate(this.#options.atOnce, MAX_WAITING);
      const made = { most: this.#options.points * factor, wrong: 0, endsAt, gate, underWay: 0 };
      this.#byNetwork.set(network, made);
      return made;
    });
  }

  #sweep(now: number): void {
    this.#sweepAt = now + this.#options.perSeconds * 1000;
    for (const [network, { endsAt, underWay }] of this.#byNetwork)
      if (endsAt <= now && underWay === 0) this.#byNetwork.delete(network);
  }
}

/** Of those that were under way together, the ones past the limit are refused as well. */
function count(all: Attempts[]): void {
  for (const attempts of all) attempts.wrong += 1;
  for (const attempts of all) requireFew(attempts, attempts.most);
}

function requireFew({ wrong, endsAt }: Attempts, most: number): void {
  if (wrong <= most) return;
  throw new AppError('rate_limited', { retryAfterMs: Math.max(1, Math.ceil(endsAt - performance.now())) });
}

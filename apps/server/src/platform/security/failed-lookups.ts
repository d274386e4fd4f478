/**
 * Rate limit for lookups of wrong credentials, for each visitor. At most `atOnce` lookups run at a time and the rest wait,
 * so that a burst of right ones, such as a school after a restart, is served in turn. After too many wrong ones no lookup
 * is made until the window ends.
 */
import { AppError } from '@dostar/protocol/errors';
import type { ErrorCode } from '@dostar/protocol/errors';
import { Semaphore } from '../concurrency/semaphore.ts';
import { networksOf } from '../http/visitor-address.ts';

interface Options {
  /** How many lookups may be wrong within the window. */
  points: number;
  perSeconds: number;
  atOnce: number;
}

interface Attempts {
  most: number;
  wrong: number;
  endsAt: number;
  semaphore: Semaphore;
  /** Lookups that run or wait. */
  underWay: number;
}

const WRONG: ErrorCode[] = ['unauthenticated', 'no_sign_up', 'rate_limited'];

/** Waiting lookups of one visitor; further ones throw `unavailable`. */
const MAX_WAITING = 10_000;

export class FailedLookups {
  readonly #options: Options;
  readonly #byNetwork = new Map<string, Attempts>();
  #sweepAt = 0;

  constructor(options: Options) {
    this.#options = options;
  }

  /** A lookup is wrong if it returns `undefined` or throws a code in `WRONG`. Throws `rate_limited` after too many. */
  async run<T>(visitor: string, look: () => Promise<T>): Promise<T> {
    const all = this.#attemptsOf(visitor);
    for (const attempts of all) attempts.underWay += 1;
    try {
      return await all[0]!.semaphore.run(() => this.#look(all, look));
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
      const semaphore = new Semaphore(this.#options.atOnce, MAX_WAITING);
      const made = { most: this.#options.points * factor, wrong: 0, endsAt, semaphore, underWay: 0 };
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

/** Checks the limit again: of lookups that ran together, those beyond it are refused too. */
function count(all: Attempts[]): void {
  for (const attempts of all) attempts.wrong += 1;
  for (const attempts of all) requireFew(attempts, attempts.most);
}

function requireFew({ wrong, endsAt }: Attempts, most: number): void {
  if (wrong <= most) return;
  throw new AppError('rate_limited', { retryAfterMs: Math.max(1, Math.ceil(endsAt - performance.now())) });
}

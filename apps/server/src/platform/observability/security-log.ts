/**
 * The security log: one line for each sign-in, change of what guards an account, and refusal, among the other lines of
 * the log at level `info`.
 *
 * A line names no user. `who` is a keyed pseudonym of the account that changes every day: it connects the lines of one
 * account and says nothing to a reader without the server's key.
 */
import type { Clock } from '../concurrency/clock.ts';
import type { Log } from './log.ts';
import type { Sealer } from '../security/sealed-values.ts';

const DAY_MS = 24 * 3_600_000;
/** Of refusals, which strangers can cause at will. */
const MAX_REFUSALS_PER_SECOND = 20;
const PSEUDONYM_LETTERS = 12;

export interface SecurityEvent {
  event: string;
  outcome: 'success' | 'failure' | 'refused';
  /** How, for a sign-in: `password`, `passkey`, `google`. */
  method?: string;
  /** A code of the protocol. */
  reason?: string;
  /** The route as it is declared. */
  route?: string;
  /** The id that the answer carries in `x-request-id`, if it failed. */
  request?: string;
  /** An id of an account; only its pseudonym is written. */
  account?: string | undefined;
}

export class SecurityLog {
  readonly #log: Log;
  readonly #sealer: Sealer;
  readonly #clock: Clock;
  #second = 0;
  #refusals = 0;
  #unlogged = 0;

  constructor({ log, sealer, clock }: { log: Log; sealer: Sealer; clock: Clock }) {
    this.#log = log;
    this.#sealer = sealer;
    this.#clock = clock;
  }

  note({ account, ...event }: SecurityEvent): void {
    if (!this.#log.isLevelEnabled('info')) return;
    if (event.outcome === 'refused' && this.#isTooMany()) {
      this.#unlogged += 1;
      return;
    }
    const unlogged = this.#unlogged > 0 && { unlogged: this.#unlogged };
    this.#unlogged = 0;
    this.#log.info(
      { ...event, ...(account !== undefined && { who: this.pseudonymOf(account) }), ...unlogged },
      'security',
    );
  }

  pseudonymOf(account: string): string {
    const day = Math.floor(this.#clock.now() / DAY_MS);
    return this.#sealer.mac(`security log ${day}`, account).toString('hex').slice(0, PSEUDONYM_LETTERS);
  }

  #isTooMany(): boolean {
    const second = Math.floor(performance.now() / 1000);
    this.#refusals = second === this.#second ? this.#refusals + 1 : 1;
    this.#second = second;
    return this.#refusals > MAX_REFUSALS_PER_SECOND;
  }
}

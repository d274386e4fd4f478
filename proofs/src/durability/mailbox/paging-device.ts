/** A device that reads page after page from its cursor, through changing processes. */
import type { AccountId } from '@dostar/protocol/ids';
import type { Context } from '../../../../apps/server/src/context.ts';
import { listRegisters, listSince } from '../../../../apps/server/src/features/messaging/mailbox/service.ts';
import type { Checks } from './checks.ts';
import type { Ledger } from './ledger.ts';
import { RegisterCopy } from './register-copy.ts';
import { recordSeenEntry } from './record-seen-entry.ts';

export class PagingDevice {
  readonly account: AccountId;
  readonly registers: RegisterCopy;
  readonly #ledger: Ledger;
  readonly #checks: Checks;
  seq = 0;
  rev = 0;
  /** The current page request: concurrent callers wait, so that the device reads one page at a time. */
  #reading: Promise<unknown> = Promise.resolve();

  constructor(account: AccountId, ledger: Ledger, checks: Checks) {
    this.account = account;
    this.#ledger = ledger;
    this.#checks = checks;
    this.registers = new RegisterCopy(checks);
  }

  /** Returns the number of entries in the page. */
  readPage(ctx: Context, limit: number): Promise<number> {
    return this.#inTurn(async () => {
      const startedAt = this.#ledger.tick();
      const answered = this.#ledger.highestAnswered(this.account);
      const entries = await listSince(ctx, this.account, this.seq, limit);
      const isQuiet = !this.#ledger.hasMoveBetween(startedAt, this.#ledger.tick());
      for (const entry of entries) {
        this.#checks.that('a cursor never skips', entry.seq === this.seq + 1, () => {
          return `after entry ${this.seq} came ${entry.seq} in pages of ${this.account}`;
        });
        this.seq = entry.seq;
        recordSeenEntry(this.#ledger, this.#checks, this.account, entry);
      }
      // During a move the old shard may answer: its page is valid but may lack the newest entries.
      if (isQuiet) {
        this.#checks.that('an answered send can be read', entries.length === limit || this.seq >= answered, () => {
          return `entry ${answered} had been answered, the page ended at ${this.seq}`;
        });
      }
      return entries.length;
    });
  }

  readRegisters(ctx: Context): Promise<void> {
    return this.#inTurn(async () => {
      const { rev, registers } = await listRegisters(ctx, this.account, this.rev);
      for (const register of registers) this.registers.apply(register);
      this.#checks.that('a revision never goes back', rev >= this.rev, () => `${this.rev} became ${rev}`);
      this.rev = rev;
    });
  }

  #inTurn<T>(task: () => Promise<T>): Promise<T> {
    const turn = this.#reading.then(task, task);
    this.#reading = turn.catch(() => {});
    return turn;
  }
}

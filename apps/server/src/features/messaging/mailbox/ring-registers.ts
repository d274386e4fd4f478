import type { Context } from '../../../context.ts';
import { accountSubject, registerEvent } from './events.ts';
import type { Wish, Written } from './store.ts';
import { markAndValue } from './wire.ts';

/** Those that changed, and only after their transaction: a hint, which may be lost. */
export function ringRegisters(ctx: Context, wishes: Wish[], written: Written[]): void {
  for (const [index, { verdict, rev, epoch }] of written.entries()) {
    const wish = wishes[index]!;
    if (verdict !== 'changed' || rev === null) continue;
    const register = { key: wish.key, rev, ...markAndValue(wish) };
    ctx.bus.publish(accountSubject(wish.owner), registerEvent(epoch, register));
  }
}

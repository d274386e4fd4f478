import type { Context } from '../../../context.ts';
import { accountSubject, registerEvent } from './events.ts';
import type { RegisterWrite, RegisterResult } from './store.ts';
import { toRegisterValue } from './wire.ts';

/** Publishes registers that changed. Called after their transaction: a hint, which may be lost. */
export function publishRegisters(ctx: Context, writes: RegisterWrite[], results: RegisterResult[]): void {
  for (const [index, { verdict, rev, epoch }] of results.entries()) {
    const write = writes[index]!;
    if (verdict !== 'changed' || rev === null) continue;
    const register = { key: write.key, rev, ...toRegisterValue(write) };
    ctx.bus.publish(accountSubject(write.owner), registerEvent(epoch, register));
  }
}

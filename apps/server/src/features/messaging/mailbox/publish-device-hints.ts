/** Hints to an account's devices about what is not in its mailbox. A lost hint is found by the next comparison. */
import type { AccountId } from '@dostar/protocol/ids';
import type { Context } from '../../../context.ts';
import { accountSubject, keyCountsEvent, sessionEndedEvent, toDeviceEvent } from './events.ts';

/** To-device messages wait for devices of the account, up to that number. */
export function publishToDevice(ctx: Context, account: AccountId, waiting: { epoch: number; upTo: number }): void {
  ctx.bus.publish(accountSubject(account), toDeviceEvent(waiting.epoch, waiting.upTo));
}

/** The number of keys that the device has left has changed. */
export function publishKeyCounts(ctx: Context, account: AccountId, device: string): void {
  ctx.bus.publish(accountSubject(account), keyCountsEvent(device));
}

/** Gateways close the sockets of that session. */
export function publishSessionEnd(ctx: Context, account: AccountId, session: string): void {
  ctx.bus.publish(accountSubject(account), sessionEndedEvent(session));
}

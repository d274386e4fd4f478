/** How sessions end, with everything their device had. */
import { MAX_DEVICES } from '@dostar/protocol/contract/keys';
import type { AccountId, DeviceId } from '@dostar/protocol/ids';
import type { Context } from '../../../context.ts';
import type { ShardDb } from '../../../platform/postgres/pools.ts';
import { announceDeviceList } from '../../encryption/device-lists/service.ts';
import type { RaisedList } from '../../encryption/device-lists/service.ts';
import { removeDeviceKeys } from '../../encryption/device-keys/service.ts';
import { announceSessionEnd } from '../../messaging/mailbox/service.ts';
import { dropTarget } from '../../messaging/push/service.ts';
import { deleteDevice, deleteSession, insertDevice, listSince, listSurplus } from './store.ts';

/** Processes forget what they remember of that session. */
export const ENDED = 'session.ended';

/** Part of starting a session. Beyond ten devices the one unseen for longest is signed out. */
export async function addDevice(ctx: Context, db: ShardDb, account: AccountId, device: DeviceId): Promise<Ending[]> {
  await insertDevice(db, account, device, ctx.clock.now());
  return endSessions(ctx, db, account, await listSurplus(db, account, MAX_DEVICES));
}

export interface Ending {
  session: string;
  /** Its device had keys, so contacts have to hear that it is gone. */
  raised: RaisedList | undefined;
}

/**
 * One session is one device: they end together, in the caller's transaction. All sessions first: an upload holds its
 * session and then waits for the mailbox, which removing keys locks.
 */
export async function endSessions(
  ctx: Context,
  db: ShardDb,
  account: AccountId,
  sessions: string[],
): Promise<Ending[]> {
  const devices: (DeviceId | undefined)[] = [];
  for (const session of sessions) devices.push(await deleteSession(db, account, session));
  const endings: Ending[] = [];
  for (const [index, device] of devices.entries()) {
    const raised = device && (await removeDeviceKeys(ctx, db, account, device));
    if (device) {
      await deleteDevice(db, account, device);
      await dropTarget(db, account, device);
    }
    endings.push({ session: sessions[index]!, raised });
  }
  return endings;
}

/** Also those that wait for a second factor. */
export async function endSessionsSince(
  ctx: Context,
  db: ShardDb,
  account: AccountId,
  moment: number,
): Promise<Ending[]> {
  return endSessions(ctx, db, account, await listSince(db, account, moment));
}

/** After the commit. */
export function announceEndings(ctx: Context, account: AccountId, endings: Ending[]): void {
  for (const { session, raised } of endings) {
    ctx.bus.publish(ENDED, session);
    announceSessionEnd(ctx, account, session);
    if (raised) announceDeviceList(ctx, account, raised);
  }
}

/** Revokes sessions, with everything that belongs to their devices. */
import { MAX_DEVICES } from '@dostar/protocol/contract/device-keys';
import type { AccountId, DeviceId } from '@dostar/protocol/ids';
import type { Context } from '../../../context.ts';
import type { ShardDb } from '../../../platform/postgres/pools.ts';
import { announceDeviceList } from '../../encryption/device-lists/service.ts';
import type { DeviceListRevision } from '../../encryption/device-lists/service.ts';
import { removeDeviceKeys } from '../../encryption/device-keys/service.ts';
import { publishSessionEnd } from '../../messaging/mailbox/service.ts';
import { dropTarget } from '../../messaging/push/service.ts';
import { deleteDevice, deleteSession, insertDevice, listSince, listSurplus } from './store.ts';

/** Processes remove the session from their cache. */
export const SESSION_REVOKED = 'session.ended';

/** Part of starting a session. Beyond ten devices, signs out the one that was unused for longest. */
export async function addDevice(
  ctx: Context,
  db: ShardDb,
  account: AccountId,
  device: DeviceId,
): Promise<RevokedSession[]> {
  await insertDevice(db, account, device, ctx.clock.now());
  return revokeSessions(ctx, db, account, await listSurplus(db, account, MAX_DEVICES));
}

export interface RevokedSession {
  session: string;
  /** Set if its device had keys: contacts have to learn that it was removed. */
  listRevision: DeviceListRevision | undefined;
}

/**
 * One session is one device: they end together, in the caller's transaction. All sessions first: an upload holds its
 * session and then waits for the mailbox, which removing keys locks.
 */
export async function revokeSessions(
  ctx: Context,
  db: ShardDb,
  account: AccountId,
  sessions: string[],
): Promise<RevokedSession[]> {
  const devices: (DeviceId | undefined)[] = [];
  for (const session of sessions) devices.push(await deleteSession(db, account, session));
  const revokedSessions: RevokedSession[] = [];
  for (const [index, device] of devices.entries()) {
    const listRevision = device && (await removeDeviceKeys(ctx, db, account, device));
    if (device) {
      await deleteDevice(db, account, device);
      await dropTarget(db, account, device);
    }
    revokedSessions.push({ session: sessions[index]!, listRevision });
  }
  return revokedSessions;
}

/** Includes pending sessions. */
export async function revokeSessionsSince(
  ctx: Context,
  db: ShardDb,
  account: AccountId,
  moment: number,
): Promise<RevokedSession[]> {
  return revokeSessions(ctx, db, account, await listSince(db, account, moment));
}

/** After the commit. */
export function announceRevokedSessions(ctx: Context, account: AccountId, revokedSessions: RevokedSession[]): void {
  for (const { session, listRevision } of revokedSessions) {
    ctx.bus.publish(SESSION_REVOKED, session);
    publishSessionEnd(ctx, account, session);
    if (listRevision) announceDeviceList(ctx, account, listRevision);
  }
}

/** Relays a device transfer between two devices of one account and enforces its order. The server can't read the content. */
import { randomUUID } from 'node:crypto';
import { DEVICE_TRANSFER_LIFETIME_MS } from '@dostar/protocol/contract/device-transfer';
import type { DeviceTransfer } from '@dostar/protocol/contract/device-transfer';
import { AppError } from '@dostar/protocol/errors';
import type { AccountId } from '@dostar/protocol/ids';
import type { Context } from '../../../context.ts';
import { deleteAll, sweepShards } from '../../../platform/postgres/paged-delete.ts';
import { publishAlert } from '../../messaging/mailbox/service.ts';
import { loadRestriction, liftRestriction } from '../recovery/service.ts';
import { listSessionsOf } from '../sessions/service.ts';
import type { Caller } from '../sessions/service.ts';
import {
  deleteExpiredDeviceTransfers,
  findDeviceTransfer,
  listOpenDeviceTransfers,
  putDeviceTransfer,
  advanceDeviceTransferRow,
} from './store.ts';

export async function requestDeviceTransfer(
  ctx: Context,
  { account, session }: Caller,
  commitment: string,
): Promise<string> {
  const id = randomUUID();
  const now = ctx.clock.now();
  const client = (await listSessionsOf(ctx, account)).find((own) => own.id === session)?.client ?? '';
  const expiresAt = now + DEVICE_TRANSFER_LIFETIME_MS;
  await ctx.shards.write(account, (db) =>
    putDeviceTransfer(db, { owner: account, id, asker: session, client, commitment, createdAt: now, expiresAt }),
  );
  publishAlert(ctx, account);
  return id;
}

export async function requireDeviceTransfer(ctx: Context, account: AccountId, id: string) {
  const found = await ctx.shards.of(account).query((db) => findDeviceTransfer(db, account, id, ctx.clock.now()));
  if (!found) throw new AppError('not_found');
  return found;
}

export async function listDeviceTransfersFor(ctx: Context, { account, session }: Caller): Promise<DeviceTransfer[]> {
  return ctx.shards.of(account).query((db) => listOpenDeviceTransfers(db, account, session, ctx.clock.now()));
}

export async function answerDeviceTransfer(ctx: Context, caller: Caller, id: string, publicKey: string): Promise<void> {
  const { asker, giver } = await requireDeviceTransfer(ctx, caller.account, id);
  if (asker === caller.session || (giver !== null && giver !== caller.session)) throw new AppError('forbidden');
  // A device that was reloaded answers again, but not once the asker has revealed its key.
  await advance(ctx, caller, id, {
    from: ['asked', 'answered'],
    to: 'answered',
    set: { giver: caller.session, giver_key: publicKey },
  });
}

export async function revealDeviceTransfer(ctx: Context, caller: Caller, id: string, publicKey: string): Promise<void> {
  const { asker } = await requireDeviceTransfer(ctx, caller.account, id);
  if (asker !== caller.session) throw new AppError('forbidden');
  await advance(ctx, caller, id, { from: ['answered'], to: 'revealed', set: { asker_key: publicKey } });
}

export async function sealDeviceTransfer(ctx: Context, caller: Caller, id: string, sealed: string): Promise<void> {
  const { asker, giver } = await requireDeviceTransfer(ctx, caller.account, id);
  if (giver !== caller.session) throw new AppError('forbidden');
  await advance(ctx, caller, id, { from: ['revealed'], to: 'sealed', set: { sealed } });
  // A restricted session can't confirm a transfer.
  if ((await loadRestriction(ctx, caller)) === undefined)
    await liftRestriction(ctx, { account: caller.account, session: asker });
  publishAlert(ctx, caller.account);
}

export async function refuseDeviceTransfer(ctx: Context, caller: Caller, id: string): Promise<void> {
  await requireDeviceTransfer(ctx, caller.account, id);
  await advance(ctx, caller, id, { from: ['asked', 'answered', 'revealed'], to: 'refused', set: {} });
  publishAlert(ctx, caller.account);
}

export async function purgeDeviceTransfers(ctx: Context): Promise<void> {
  const now = ctx.clock.now();
  await sweepShards(ctx, 'delete expired device transfers', (shard) =>
    deleteAll(shard, (db) => deleteExpiredDeviceTransfers(db, now)),
  );
}

async function advance(
  ctx: Context,
  { account }: Caller,
  id: string,
  change: Parameters<typeof advanceDeviceTransferRow>[3],
): Promise<void> {
  const isDone = await ctx.shards.write(account, (db) => advanceDeviceTransferRow(db, account, id, change));
  if (!isDone) throw new AppError('forbidden');
}

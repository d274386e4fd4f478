/**
 * Charges against an account's quota.
 *
 * Promise: every blob is charged to its uploader, though no transaction covers both. A process charges before it stores a
 * blob, and again afterwards; one that ends a charge checks afterwards whether the blob is back. So of two that race for
 * one id the later sees the other. A crash leaves at worst a charge without a blob, which ends after a day.
 */
import type { BlobId } from '@dostar/protocol/contract/blobs';
import type { AccountId } from '@dostar/protocol/ids';
import type { Context } from '../../../context.ts';
import type { Shard } from '../../../platform/postgres/shards.ts';
import { holdMailbox } from '../mailbox/service.ts';
import { withAccountShard, withBlobShard } from './blob-shards.ts';
import { exceedsTotal, insufficientStorage } from './storage-limits.ts';
import {
  deleteCharge,
  findBlob,
  listCharges,
  listUploaded,
  raiseCharge,
  sumCharged,
  sumChargedUnverified,
} from './store.ts';
import type { Charge } from './store.ts';

const PAGE = 1_000;

export interface BlobCharge {
  blob: BlobId;
  charged: number;
  quotaBytes: number;
}

/** Throws `insufficient_storage` beyond the account's quota, and beyond that of all accounts. Idempotent per blob. */
export async function chargeBlob(ctx: Context, owner: AccountId, charge: BlobCharge): Promise<void> {
  if (!(await chargeAccount(ctx, owner, charge)) || !(await exceedsTotal(ctx))) return;
  await releaseCharge(ctx, owner, charge.blob);
  throw insufficientStorage('server');
}

/** False if nothing more is charged. */
async function chargeAccount(
  ctx: Context,
  owner: AccountId,
  { blob, charged, quotaBytes }: BlobCharge,
): Promise<boolean> {
  const at = ctx.clock.now();
  return withAccountShard(ctx, owner, async (db, shard) => {
    await holdMailbox(db, shard, owner);
    const isRaised = await raiseCharge(db, { owner, blob, charged, at });
    if (!isRaised || charged === 0) return false;
    const { bytes, files } = await sumCharged(db, owner);
    if (bytes > quotaBytes || files > ctx.policy.blobQuotaFiles) throw insufficientStorage('account');
    return true;
  });
}

/** The bytes that all accounts of `/v1` with an unverified address store together. */
export async function sumUnverified(ctx: Context): Promise<number> {
  const sums = await Promise.all(ctx.shards.all().map((shard) => shard.query(sumChargedUnverified)));
  return sums.reduce((all, one) => all + one, 0);
}

/** Ends the account's charge for the blob. */
export async function releaseCharge(ctx: Context, owner: AccountId, blob: BlobId): Promise<void> {
  const ended = await withAccountShard(ctx, owner, (db) => deleteCharge(db, owner, blob));
  if (!ended || ended.charged === 0) return;
  // Uploaded again meanwhile under the same id: restore its charge.
  if (await isUploadedBy(ctx, owner, blob)) await withAccountShard(ctx, owner, (db) => raiseCharge(db, ended));
}

/** Ends charges made before `before` whose blob was never stored, or belongs to another uploader. Returns how many. */
export async function releaseOrphanedCharges(ctx: Context, before: number): Promise<number> {
  let ended = 0;
  for (const shard of ctx.shards.all()) {
    for await (const page of pageCharges(shard, before)) {
      for (const { owner, blob } of await listWithoutBlob(ctx, page)) {
        // Checked again with the bucket held: a blob that has moved is missing on its former shard.
        if (await isUploadedBy(ctx, owner, blob)) continue;
        await releaseCharge(ctx, owner, blob);
        ended += 1;
      }
    }
  }
  return ended;
}

async function* pageCharges(shard: Shard, before: number): AsyncGenerator<Charge[]> {
  let last: Charge | undefined;
  do {
    const page = await shard.query((db) => listCharges(db, before, last, PAGE));
    yield page;
    last = page.length < PAGE ? undefined : page.at(-1);
  } while (last);
}

async function listWithoutBlob(ctx: Context, charges: Charge[]): Promise<Charge[]> {
  const groups = [...ctx.shards.group(charges, ({ blob }) => blob as string as AccountId)];
  const found = await Promise.all(
    groups.map(async ([shard, some]) => {
      const blobs = some.map(({ blob }) => blob);
      const uploaders = await shard.query((db) => listUploaded(db, blobs));
      return some.filter(({ owner, blob }) => uploaders.get(blob) !== owner);
    }),
  );
  return found.flat();
}

async function isUploadedBy(ctx: Context, account: AccountId, blob: BlobId): Promise<boolean> {
  const row = await withBlobShard(ctx, blob, (db) => findBlob(db, blob));
  return row?.uploader === account;
}

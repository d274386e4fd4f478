import type { Context } from '../../../context.ts';
import { readCertificateEnd } from '../../../platform/security/certificates.ts';
import type { Shard } from '../../../platform/postgres/shards.ts';
import { sumStorage } from '../../messaging/attachments/service.ts';
import { type Backlog, readArchiveStuck, readPendingCopies, readPushDue, readReplicationLag } from './store.ts';

export async function measureBacklogs(ctx: Context): Promise<void> {
  await onReachable(ctx, async (shard) => {
    const [pendingCopies, pushDue] = await shard.query((db) => Promise.all([readPendingCopies(db), readPushDue(db)]));
    setBacklogMetrics(ctx, shard, 'pending_copies', pendingCopies);
    setBacklogMetrics(ctx, shard, 'push', pushDue);
  });
}

function setBacklogMetrics(ctx: Context, shard: Shard, of: 'pending_copies' | 'push', { count, since }: Backlog): void {
  const labels = { of, shard: String(shard.id) };
  ctx.metrics.backlog.set(labels, count);
  ctx.metrics.backlogAge.set(labels, since === undefined ? 0 : Math.max(0, ctx.clock.now() - since) / 1_000);
}

export async function measureReplicas(ctx: Context): Promise<void> {
  ctx.metrics.replicationLag.set({ database: 'directory' }, await readReplicationLag(ctx.directory));
  await onReachable(ctx, async (shard) => {
    ctx.metrics.replicationLag.set({ database: `shard_${shard.id}` }, await shard.query(readReplicationLag));
  });
}

export async function measureArchives(ctx: Context): Promise<void> {
  ctx.metrics.archiveStuck.set({ database: 'directory' }, await readArchiveStuck(ctx.directory));
  await onReachable(ctx, async (shard) => {
    ctx.metrics.archiveStuck.set({ database: `shard_${shard.id}` }, await shard.query(readArchiveStuck));
  });
}

/** `/readyz` reports a shard that is down. Its metrics keep their last values. */
async function onReachable(ctx: Context, measure: (shard: Shard) => Promise<void>): Promise<void> {
  await Promise.all(ctx.shards.reachable().map(measure));
}

export async function measureJobs(ctx: Context): Promise<void> {
  const { waiting, dead } = await ctx.jobs.count();
  ctx.metrics.keptJobs.set({ state: 'waiting' }, waiting);
  ctx.metrics.keptJobs.set({ state: 'dead' }, dead);
}

export async function measureDisk(ctx: Context): Promise<void> {
  const free = await ctx.blobs.freeRatio();
  if (free !== undefined) ctx.metrics.diskFree.set({ of: 'files' }, free);
}

export async function measureStorage(ctx: Context): Promise<void> {
  ctx.metrics.storageUsed.set({ of: 'files' }, await sumStorage(ctx));
  const limit = ctx.policy.blobQuotaTotalBytes;
  if (limit !== undefined) ctx.metrics.storageLimit.set({ of: 'files' }, limit);
}

/** As browsers see them, so that a proxy that failed to renew a certificate is noticed in time. */
export async function measureCertificates(ctx: Context): Promise<void> {
  for (const origin of ctx.origins.filter((one) => one.startsWith('https:'))) {
    const { hostname, port } = new URL(origin);
    const endsAt = await readCertificateEnd(hostname, port === '' ? 443 : Number(port));
    ctx.metrics.certificateEnds.set({ host: hostname }, endsAt / 1_000);
  }
}

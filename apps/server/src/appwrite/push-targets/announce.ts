/**
 * Announcements of the operator to the subscribers of a topic.
 *
 * Promise: one durable job per page of subscribers. A page that runs twice reaches the same targets under the same id,
 * which a device shows once.
 */
import { randomUUID } from 'node:crypto';
import { AppwriteId } from '@dostar/protocol/appwrite/ids';
import { z } from 'zod';
import type { Context } from '../../context.ts';
import { runConcurrently } from '../../platform/concurrency/run-concurrently.ts';
import type { JobKind } from '../../platform/bus/jobs.ts';
import { sendAnnouncement } from '../../features/messaging/push/service.ts';
import { expireTarget, listSubscribers } from './subscriber-store.ts';
import type { SubscribedTarget } from './subscriber-store.ts';

const PAGE = 200;
const CONCURRENCY = 16;
const MAX_TEXT = 500;

const AnnounceJob = z.object({
  id: z.uuid(),
  topic: AppwriteId,
  text: z.string().min(1).max(MAX_TEXT),
  shard: z.int(),
  /** The page begins after this subscriber. */
  after: z.object({ owner: z.uuid(), id: AppwriteId }).nullable(),
  /** Targets that the push service deferred; the others of the page have been sent. */
  only: z.array(z.string()).optional(),
});
type AnnounceJob = z.infer<typeof AnnounceJob>;
const announceJob: JobKind<AnnounceJob> = { name: 'announce', payload: AnnounceJob };

/** Throws if there is no such topic. Resolves once the jobs are stored. */
export async function announce(ctx: Context, topic: string, text: string): Promise<void> {
  if (!ctx.appwrite.topics.some(({ id }) => id === topic)) throw new Error(`no topic ${topic} in APPWRITE_CONFIG_FILE`);
  const id = randomUUID();
  for (const { id: shard } of ctx.shards.all()) await publish(ctx, { id, topic, text, shard, after: null });
}

export function announceJobs(ctx: Context): AsyncDisposable {
  return ctx.jobs.work(announceJob, { run: ({ payload }) => sendPage(ctx, payload) });
}

async function sendPage(ctx: Context, job: AnnounceJob): Promise<void> {
  const { topic, shard, after, only } = job;
  const page = await ctx.shards.byId(shard).query((db) => listSubscribers(db, { topic, after, limit: PAGE }));
  const last = page.at(-1);
  if (last && page.length === PAGE && !only)
    await publish(ctx, { ...job, after: { owner: last.owner, id: last.subscriber } });
  const postponed: string[] = [];
  const wanted = page.filter((each) => !only || only.includes(nameOf(each)));
  await runConcurrently(CONCURRENCY, wanted, async (each) => {
    if (!(await sendOne(ctx, job, each))) postponed.push(nameOf(each));
  });
  if (postponed.length === 0) return;
  if (only) throw new Error(`${postponed.length} deferred by their push services`);
  await publish(ctx, { ...job, only: postponed });
}

/** False if the push service deferred it. */
async function sendOne(ctx: Context, { id, text, shard }: AnnounceJob, target: SubscribedTarget): Promise<boolean> {
  const outcome = await sendAnnouncement(ctx, target.identifier, { id, text });
  if (outcome === 'gone') await ctx.shards.byId(shard).query((db) => expireTarget(db, target));
  return outcome !== 'later';
}

/** Subscribers of two accounts may share an id. */
function nameOf({ owner, subscriber }: SubscribedTarget): string {
  return `${owner} ${subscriber}`;
}

async function publish(ctx: Context, job: AnnounceJob): Promise<void> {
  const { id, shard, after, only } = job;
  await ctx.jobs.publish(announceJob, job, { id: [id, shard, after?.owner, after?.id, only && 'again'].join(' ') });
}

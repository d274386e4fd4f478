import type { AccountId } from '@dostar/protocol/ids';
import { sql } from 'kysely';
import type { ShardDb } from '../../platform/postgres/pools.ts';

export interface SubscribedTarget {
  owner: AccountId;
  subscriber: string;
  target: string;
  identifier: string;
}

interface Page {
  topic: string;
  after: { owner: string; id: string } | null;
  limit: number;
}

/** Subscribers with a target that has not expired, ordered by owner. */
export async function listSubscribers(db: ShardDb, { topic, after, limit }: Page): Promise<SubscribedTarget[]> {
  const { rows } = await sql<SubscribedTarget>`
    select s.owner, s.id as subscriber, t.id as target, t.identifier
    from service_subscriber s join service_target t on t.owner = s.owner and t.id = s.target
    where s.topic = ${topic} and not t.is_expired
      and (${after === null} or (s.owner, s.id) > (${after?.owner ?? null}::uuid, ${after?.id ?? null}::text))
    order by s.owner, s.id limit ${limit}`.execute(db);
  return rows;
}

/** The push service has dropped the target. Its owner sees that and may set a new identifier. */
export async function expireTarget(db: ShardDb, { owner, target, identifier }: SubscribedTarget): Promise<void> {
  await db
    .updateTable('service_target')
    .set({ is_expired: true })
    .where('owner', '=', owner)
    .where('id', '=', target)
    .where('identifier', '=', identifier)
    .execute();
}

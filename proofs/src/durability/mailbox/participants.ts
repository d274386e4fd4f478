import { randomUUID } from 'node:crypto';
import { AccountId } from '@dostar/protocol/ids';
import { createAccount } from '../../../../apps/server/src/features/identity/accounts/service.ts';
import { startSession } from '../../../../apps/server/src/features/identity/sessions/service.ts';
import type { Session } from '../../../../apps/server/src/features/identity/sessions/service.ts';
import { BUCKET_OF_PERSON } from './history.ts';
import type { History } from './history.ts';
import { listOf } from './ledger.ts';
import type { ContactState, Ledger } from './ledger.ts';
import type { Processes } from './processes.ts';

export interface Person {
  account: AccountId;
  /** One device reads pages, the other listens on a socket. */
  paging: Session;
  listening: Session;
}

export interface Participants {
  people: Person[];
  buckets: number[];
}

/** Creates accounts in three buckets that lie on both shards. */
export async function createParticipants(
  processes: Processes,
  history: History,
  ledger: Ledger,
): Promise<Participants> {
  const ctx = processes.operator;
  const { rows } = await processes.directory.query<{ bucket: number; shard: number }>(
    `(select bucket, shard from placement where shard = 0 order by random() limit 2)
     union all (select bucket, shard from placement where shard = 1 order by random() limit 1)`,
  );
  const buckets = [rows[0]!, rows[2]!, rows[1]!].map((row) => row.bucket);
  await ctx.placement.reload();
  const people = await Promise.all(
    BUCKET_OF_PERSON.map(async (index) => {
      const account = await createAccount(ctx, accountIn(buckets[index]!));
      return { account, paging: await startSession(ctx, account), listening: await startSession(ctx, account) };
    }),
  );
  await insertContacts(processes, history, people, ledger);
  return { people, buckets };
}

/** Inserts rows directly: twenty calls would take longer than the history. */
async function insertContacts(processes: Processes, history: History, people: Person[], ledger: Ledger): Promise<void> {
  const wanted = people.flatMap((owner, o) =>
    people.map((peer, p) => {
      const relation = history.relations.find((known) => known.owner === o && known.peer === p);
      const state: ContactState = o === p ? 'accepted' : (relation?.state ?? 'accepted');
      return { owner: owner.account, peer: peer.account, state };
    }),
  );
  for (const { owner, peer, state } of wanted) {
    listOf(ledger.contacts, `${owner}/${peer}`).push({ value: state, startedAt: 0, endedAt: 0 });
  }
  const known = wanted.filter(({ owner, peer, state }) => owner !== peer && state !== 'stranger');
  for (const [shard, rows] of processes.operator.shards.group(known, ({ owner }) => owner)) {
    await processes.shards[shard.id]!.query(
      'insert into contact select * from unnest($1::uuid[], $2::uuid[], $3::text[])',
      [rows.map((row) => row.owner), rows.map((row) => row.peer), rows.map((row) => row.state)],
    );
  }
}

function accountIn(bucket: number): AccountId {
  const id = randomUUID();
  const rest = Number.parseInt(id.slice(-3), 16) & ~1023;
  return AccountId.parse(id.slice(0, -3) + (rest | bucket).toString(16).padStart(3, '0'));
}

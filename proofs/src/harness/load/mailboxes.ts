import { shardName } from '../lib/engines.ts';
import type { Engines } from '../lib/engines.ts';
import type { Report } from '../lib/report.ts';

const COUNTS = `
  select count(*), count(*) filter (where m.last_seq <> coalesce(l.n, 0) or m.last_seq <> coalesce(l.top, 0))
  from mailbox m left join (select owner, count(*) n, max(seq) top from log group by owner) l using (owner)`;

/** Checks that every mailbox holds the entries 1, 2, 3 … up to its last number. */
export async function checkMailboxes(report: Report, engines: Engines): Promise<void> {
  for (const [id, shard] of engines.shards.entries()) {
    const [mailboxes, gaps] = (await shard.sql(shardName(id), COUNTS)).split('|').map(Number);
    report.count('mailboxes without a gap', mailboxes! - 1);
    report.check('mailboxes without a gap', gaps === 0, () => `${gaps} of shard ${id} have one`);
  }
}

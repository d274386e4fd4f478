/** Compares what was written with the rows in the shards and with what the devices show. */
import type { AccountId } from '@dostar/protocol/ids';
import type { Postgres } from '@dostar/tools/servers';
import { Client } from 'pg';
import { shardName } from '../../harness/lib/engines.ts';
import { decodeProbe } from './probe.ts';
import type { Person } from './accounts.ts';
import { listPeers, type Plan } from './plan.ts';
import type { Shown } from './swarm-messages.ts';

export type Check = (kind: string, holds: boolean, detail?: () => string) => void;

interface Row {
  owner: AccountId;
  seq: number;
  sender: AccountId;
  id: string;
  body: Buffer;
}

/** Every message is in both mailboxes once, in its sender's order, with the same bytes; mailboxes have no gap. */
export async function verifyShards(shards: Postgres[], people: Person[], plan: Plan, check: Check): Promise<void> {
  const mailboxes = Map.groupBy((await Promise.all(shards.map(readLog))).flat(), ({ owner }) => owner);
  for (const { account } of people) {
    const seqs = (mailboxes.get(account) ?? []).map(({ seq }) => seq);
    check(
      'a mailbox is numbered without a gap',
      seqs.every((seq, index) => seq === index + 1),
      () => account,
    );
  }
  for (const { from, to, detail } of listContactSides(people, plan)) {
    const theirs = (mailboxes.get(to) ?? []).filter(({ sender }) => sender === from);
    const ids = new Set(theirs.map(({ id }) => id));
    const own = (mailboxes.get(from) ?? []).filter(({ sender, id }) => sender === from && ids.has(id));
    checkNumbers("in the recipient's mailbox", numbersOf(theirs), plan, check, detail);
    checkNumbers("in the sender's mailbox", numbersOf(own), plan, check, detail);
    const areAlike = theirs.every((row) => own.find(({ id }) => id === row.id)?.body.equals(row.body));
    check('both copies have the same bytes', areAlike, detail);
  }
  for (const { account } of people) {
    const own = (mailboxes.get(account) ?? []).filter(({ sender }) => sender === account).length;
    const expected = plan.distances.length * plan.messagesPerPeer;
    check("nothing else is in the sender's mailbox", own === expected, () => `${account} has ${own}`);
  }
}

/** Every message is shown once, in its sender's order, on both devices. */
export function verifyDevices(shown: Shown[], people: Person[], plan: Plan, check: Check): void {
  const sides = new Map(shown.map((side) => [`${side.owner}/${side.sender}/${side.peer}`, side]));
  for (const { from, to, detail } of listContactSides(people, plan)) {
    const theirs = sides.get(`${to}/${from}/${from}`);
    const own = sides.get(`${from}/${from}/${to}`);
    checkNumbers("on the recipient's device", theirs?.numbers ?? [], plan, check, detail);
    checkNumbers("on the sender's device", own?.numbers ?? [], plan, check, detail);
    check("the sender's device shows every message as sent", own?.unsent === 0, detail);
  }
}

/** One check per message: it fails if the message is missing, doubled or out of order. */
function checkNumbers(where: string, numbers: number[], plan: Plan, check: Check, detail: () => string): void {
  const kind = `${where}, once${plan.isOrderless ? '' : ' and in order'}`;
  for (let number = 1; number <= plan.messagesPerPeer; number += 1) {
    const at = numbers.indexOf(number);
    const isOnce = at >= 0 && at === numbers.lastIndexOf(number);
    const isInOrder = plan.isOrderless || numbers.slice(0, Math.max(at, 0)).every((earlier) => earlier < number);
    check(kind, isOnce && isInOrder, () => `${detail()}, message ${number} of ${numbers.join(' ')}`);
  }
}

function listContactSides(people: Person[], plan: Plan) {
  return people.flatMap(({ account: from }, index) =>
    listPeers(plan, index).map((peer) => {
      const to = people[peer]!.account;
      return { from, to, detail: () => `${from} to ${to}` };
    }),
  );
}

function numbersOf(rows: Row[]): number[] {
  return rows.map(({ body }) => decodeProbe(body).number);
}

async function readLog(shard: Postgres, id: number): Promise<Row[]> {
  const client = new Client({ connectionString: shard.url(shardName(id)) });
  await client.connect();
  try {
    const { rows } = await client.query<Row>(
      'select owner, seq::int, sender, message_id as id, body from log order by owner, seq',
    );
    return rows;
  } finally {
    await client.end();
  }
}

/** Reads the stored data directly from the databases, past the server's code. */
import type { AccountId, ChatId, MessageId } from '@dostar/protocol/ids';
import type { Participants } from './participants.ts';
import type { Processes } from './processes.ts';
import { describeRegisters } from './register-copy.ts';
import type { RegisterContent } from './register-copy.ts';

export interface LogRow {
  owner: AccountId;
  seq: number;
  sender: AccountId;
  id: MessageId;
  chat: ChatId;
  at: number;
  peerSeq: number | null;
  erasesSender: AccountId | null;
  erasesId: MessageId | null;
  body: string | null;
}

export interface MailboxState {
  lastSeq: number;
  rev: number;
  ackedSeq: number;
  isFrozen: boolean;
  log: LogRow[];
  registerRows: (RegisterContent & { owner: AccountId })[];
  registers: string;
}

export interface State {
  mailboxes: Map<AccountId, MailboxState>;
  /** Tables in which an account has rows on another shard than its own. */
  strays: string[];
}

interface MailboxRow {
  owner: AccountId;
  lastSeq: number;
  rev: number;
  ackedSeq: number;
  isFrozen: boolean;
}

export async function readState(processes: Processes, { people, buckets }: Participants): Promise<State> {
  const placed = await processes.directory.query<{ bucket: number; shard: number }>(
    'select bucket, shard from placement where bucket = any ($1)',
    [buckets],
  );
  const home = new Map(placed.rows.map((row) => [row.bucket, row.shard]));
  const state: State = { mailboxes: new Map(), strays: [] };
  for (const [id, client] of processes.shards.entries()) {
    const accounts = people.map((person) => person.account);
    const here = accounts.filter((account) => home.get(Number.parseInt(account.slice(-3), 16) % 1024) === id);
    const away = accounts.filter((account) => !here.includes(account));
    const found = await readMailboxes(client, here);
    for (const [owner, mailbox] of found) state.mailboxes.set(owner, mailbox);
    for (const [owner] of await readMailboxes(client, away)) state.strays.push(`${owner} on shard ${id}`);
  }
  return state;
}

async function readMailboxes(
  client: Processes['directory'],
  owners: AccountId[],
): Promise<Map<AccountId, MailboxState>> {
  const heads = await client.query<MailboxRow>(
    `select owner, last_seq as "lastSeq", rev, acked_seq as "ackedSeq", frozen as "isFrozen"
     from mailbox where owner = any ($1)`,
    [owners],
  );
  const log = await client.query<LogRow>(
    `select owner, seq, sender, message_id as id, chat, at, peer_seq as "peerSeq", erases_sender as "erasesSender",
       erases_id as "erasesId", translate(encode(body, 'base64'), '+/=', '-_') as body
     from log where owner = any ($1) order by owner, seq`,
    [owners],
  );
  const registers = await client.query<RegisterContent & { owner: AccountId }>(
    'select owner, key, rev, mark, value from register where owner = any ($1)',
    [owners],
  );
  const empty = { lastSeq: -1, rev: -1, ackedSeq: -1, isFrozen: false };
  const rows = Map.groupBy(log.rows, (row) => row.owner);
  const kept = Map.groupBy(registers.rows, (row) => row.owner);
  const known = new Map(heads.rows.map((row) => [row.owner, row]));
  const all = new Set([...known.keys(), ...rows.keys(), ...kept.keys()]);
  return new Map(
    [...all].map((owner) => {
      const registerRows = kept.get(owner) ?? [];
      const head = known.get(owner) ?? empty;
      return [owner, { ...head, log: rows.get(owner) ?? [], registerRows, registers: describeRegisters(registerRows) }];
    }),
  );
}

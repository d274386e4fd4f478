/**
 * Measures the cost of the product's own statements: records the SQL that its store functions send, and explains it.
 *
 * Each read runs once before it counts: the claim is about work, not about what a cache happens to hold.
 */
import type { AccountId, ChatId } from '@dostar/protocol/ids';
import { Kysely, PostgresDialect } from 'kysely';
import type { CompiledQuery } from 'kysely';
import { Client, Pool } from 'pg';
import { listChatBefore, listEntriesSince } from '../../../../apps/server/src/features/messaging/mailbox/store.ts';
import type { ShardDb } from '../../../../apps/server/src/platform/postgres/pools.ts';
import type { ShardTables } from '../../../../apps/server/src/platform/postgres/tables/tables.ts';
import { chatId, ownerId } from './fill.ts';
import type { Shape } from './fill.ts';

/** The contract's default page of a chat, and the gateway's page. */
const CHAT_PAGE = 50;
const CATCH_UP_PAGE = 200;

export interface Cost {
  rows: number;
  buffers: number;
  micros: number;
}

export interface LogReader extends AsyncDisposable {
  readChat(): Promise<Cost>;
  catchUp(): Promise<Cost>;
}

interface Explained {
  Plan: { 'Shared Hit Blocks': number; 'Shared Read Blocks': number; 'Actual Rows': number };
  'Execution Time': number;
}

export async function openReader(url: string, shape: Shape): Promise<LogReader> {
  const pool = new Pool({ connectionString: url, max: 1 });
  const sent: CompiledQuery[] = [];
  const db = new Kysely<ShardTables>({
    dialect: new PostgresDialect({ pool }),
    log: ({ query }) => void sent.push(query),
  });
  const client = new Client({ connectionString: url });
  await client.connect();
  const lastSeq = shape.rows / shape.owners;

  /** Runs the read as the product does, then explains the statement that was sent. */
  async function weigh(read: (db: ShardDb) => Promise<unknown[]>): Promise<Cost> {
    sent.length = 0;
    const entries = await read(db);
    const [statement] = sent;
    if (!statement || sent.length !== 1) throw new Error(`one statement was expected, ${sent.length} were sent`);
    const explain = `explain (analyze, buffers, timing off, format json) ${statement.sql}`;
    const { rows } = await client.query<{ 'QUERY PLAN': [Explained] }>(explain, [...statement.parameters]);
    const [{ Plan: plan, 'Execution Time': time }] = rows[0]!['QUERY PLAN'];
    if (plan['Actual Rows'] !== entries.length) throw new Error('the explained statement gave other rows');
    return {
      rows: entries.length,
      buffers: plan['Shared Hit Blocks'] + plan['Shared Read Blocks'],
      micros: time * 1000,
    };
  }

  return {
    async readChat() {
      const owner = pick(shape.owners);
      const chat = pick(shape.chatsPerOwner);
      const before = CHAT_PAGE * shape.chatsPerOwner + 1 + pick(lastSeq - CHAT_PAGE * shape.chatsPerOwner);
      const [account, of] = [ownerId(owner) as AccountId, chatId(shape, owner, chat) as ChatId];
      return weigh((shard) => listChatBefore(shard, account, of, before, CHAT_PAGE));
    },
    async catchUp() {
      const account = ownerId(pick(shape.owners)) as AccountId;
      const since = pick(lastSeq - CATCH_UP_PAGE);
      return weigh((shard) => listEntriesSince(shard, account, since, { limit: CATCH_UP_PAGE, bytes: 1024 * 1024 }));
    },
    async [Symbol.asyncDispose]() {
      await client.end();
      await db.destroy();
    },
  };
}

function pick(below: number): number {
  return Math.floor(Math.random() * below);
}

/**
 * Everything that is stored of an account, as one JSON document.
 *
 * Promise: what the server can't read stays closed, and what would let its reader in (hashes of secrets, sealed factors,
 * keys of push) is left out. All of a shard is of one moment. Bytes of files are not in it; their names and sizes are.
 */
import type { AccountId } from '@dostar/protocol/ids';
import type { Context } from '../../../context.ts';
import { requireHead } from '../../messaging/mailbox/service.ts';
import { listTablesOfAccounts } from '../sharding/service.ts';
import { listAccountTables, readRows } from './store.ts';

/** Secrets that would let the reader of an export sign in, or guess offline. */
export const SECRET_COLUMNS = [
  'secret_hash',
  'former_hash',
  'token_hash',
  'ticket_hash',
  'code_hash',
  'password_hash',
  'hash',
  'sealed',
  'record',
  'wrap',
  'auth',
  'tag_key',
];

type Write = (text: string) => Promise<void>;

/** How many rows there were. */
export async function exportAccount(ctx: Context, account: AccountId, write: Write): Promise<number> {
  await requireHead(ctx, account);
  const at = new Date(ctx.clock.now()).toISOString();
  await write(`{"account":${JSON.stringify(account)},"exportedAt":${JSON.stringify(at)},"directory":{`);
  let count = await ctx.directory
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (db) =>
      writeTables(write, await listAccountTables(db), (table) =>
        readRows(db, { table, column: 'account', owner: account, without: SECRET_COLUMNS }),
      ),
    );
  await write('},"records":{');
  count += await ctx.shards.of(account).maintain((db) =>
    db
      .transaction()
      .setIsolationLevel('repeatable read')
      .execute(async (tx) =>
        writeTables(write, await listTablesOfAccounts(tx), (table) =>
          readRows(tx, { table, column: 'owner', owner: account, without: SECRET_COLUMNS }),
        ),
      ),
  );
  await write('}}\n');
  return count;
}

async function writeTables(
  write: Write,
  tables: string[],
  read: (table: string) => AsyncGenerator<string>,
): Promise<number> {
  let count = 0;
  for (const [index, table] of tables.entries()) {
    await write(`${index === 0 ? '' : ','}\n${JSON.stringify(table)}:[`);
    let isFirst = true;
    for await (const row of read(table)) {
      await write(`${isFirst ? '' : ','}\n${row}`);
      isFirst = false;
      count += 1;
    }
    await write(']');
  }
  return count;
}

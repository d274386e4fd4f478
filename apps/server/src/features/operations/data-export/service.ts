/**
 * Everything that is stored about an account, as one JSON document.
 *
 * Promise: encrypted data stays encrypted. Left out is what would let a reader sign in or send: hashes of secrets, encrypted
 * factors, and `auth` and `tag_key` of push targets (their addresses are included). All rows of a shard are from one
 * moment. Files are listed by name and size, without their bytes.
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

/** Returns the number of rows. */
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

/** Fills a shard's log fast: drops its indexes, inserts the rows and creates the same indexes again. */
import type { Postgres } from '@dostar/tools/servers';

export interface Shape {
  owners: number;
  chatsPerOwner: number;
  rows: number;
}

export interface Filled {
  rows: number;
  seconds: number;
  size: string;
  indexes: string;
}

const OWNER = '00000000-0000-4000-8000-';
const CHAT = '00000000-0000-8000-8000-';

/** Rows of the owners alternate, as in production: neighbours in a mailbox are far apart in the table. */
function describeRows({ owners, chatsPerOwner, rows }: Shape): string {
  return `
    insert into log (owner, seq, sender, message_id, chat, at, to_device, body)
    select ${idOf(OWNER, 'owner')}, seq, ${idOf(OWNER, 'owner')}, gen_random_uuid(),
      ${idOf(CHAT, `owner * ${chatsPerOwner} + seq % ${chatsPerOwner}`)}, seq, 0, '\\x${'a5'.repeat(32)}'
    from (select n % ${owners} as owner, n / ${owners} + 1 as seq from generate_series(0, ${rows - 1}) n) entry`;
}

function idOf(prefix: string, number: string): string {
  return `('${prefix}' || lpad(to_hex(${number}), 12, '0'))::uuid`;
}

export function ownerId(owner: number): string {
  return OWNER + owner.toString(16).padStart(12, '0');
}

export function chatId({ chatsPerOwner }: Shape, owner: number, chat: number): string {
  return CHAT + (owner * chatsPerOwner + chat).toString(16).padStart(12, '0');
}

const INDEXES = `
  select string_agg(pg_get_indexdef(indexrelid), '; ' order by indexrelid::regclass::text)
  from pg_index where indrelid = 'log'::regclass`;

export function describeIndexes(postgres: Postgres, database: string): Promise<string> {
  return postgres.sql(database, INDEXES);
}

export async function fillLog(postgres: Postgres, database: string, shape: Shape): Promise<Filled> {
  const begun = performance.now();
  const primaryKey = await postgres.sql(
    database,
    `select pg_get_constraintdef(oid) from pg_constraint where conname = 'log_pkey'`,
  );
  const others = await postgres.sql(
    database,
    `select string_agg(pg_get_indexdef(indexrelid), ';') from pg_index where indrelid = 'log'::regclass and not indisprimary`,
  );
  await postgres.sql(
    database,
    `alter table log drop constraint log_pkey; drop index log_identity, log_chat;
     begin; truncate log; ${describeRows(shape)}; commit;
     alter table log add constraint log_pkey ${primaryKey}; ${others};`,
  );
  await postgres.sql(database, 'vacuum (freeze, analyze) log');
  return {
    rows: Number(await postgres.sql(database, 'select count(*) from log')),
    seconds: Math.round((performance.now() - begun) / 1000),
    size: await postgres.sql(database, `select pg_size_pretty(pg_total_relation_size('log'))`),
    indexes: await describeIndexes(postgres, database),
  };
}

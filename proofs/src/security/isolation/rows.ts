/** The rows of an account in the databases, found without knowing the tables. */
import { Client } from 'pg';
import type { Engines } from '../../harness/lib/engines.ts';

/** Counters of calls and visitors belong to no account. */
const OWNERLESS_TABLES = ['limits', 'stats'];

/** Each row as the table's name and its content. */
export type Rows = string[];

export interface RowReader extends AsyncDisposable {
  /** Every row of the directory that names the account, and every row that the account owns on a shard. */
  readRows(account: string): Promise<Rows>;
}

export async function openRowReader(engines: Engines): Promise<RowReader> {
  await using stack = new AsyncDisposableStack();
  const shardUrls = engines.env.SHARD_URLS.split(',').map((part) => part.slice(part.indexOf('=') + 1));
  const readers = [
    await openReader(stack, engines.env.DIRECTORY_URL, "t::text like '%' || $1 || '%'"),
    ...(await Promise.all(shardUrls.map((url) => openReader(stack, url, 'owner = $1::uuid', 'owner')))),
  ];
  const owned = stack.move();
  return {
    async readRows(account) {
      return (await Promise.all(readers.map((read) => read(account)))).flat().toSorted();
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

async function openReader(stack: AsyncDisposableStack, url: string, isTheirs: string, column?: string) {
  const client = new Client({ connectionString: url });
  await client.connect();
  stack.defer(() => client.end());
  const tables = await client.query<{ name: string }>(
    `select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = 'public' and c.relkind in ('r', 'p') and not c.relispartition and c.relname <> all ($1)
       and ($2::text is null or exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = $2))`,
    [OWNERLESS_TABLES, column ?? null],
  );
  const text = tables.rows
    .map(({ name }) => `select '${name} ' || to_jsonb(t)::text as row from "${name}" t where ${isTheirs}`)
    .join(' union all ');
  return async (account: string): Promise<Rows> => {
    const { rows } = await client.query<{ row: string }>(text, [account]);
    return rows.map(({ row }) => row);
  };
}

/** Texts and bytes of these rows, as an answer would contain them. Short values are left out: they occur by chance. */
export function listValues(rows: Rows): string[] {
  const values = rows.flatMap((row) => listStrings(JSON.parse(row.slice(row.indexOf(' ') + 1))));
  const written = values.flatMap((value) => {
    if (!value.startsWith('\\x')) return [value];
    const bytes = Buffer.from(value.slice(2), 'hex');
    return [bytes.toString('hex'), bytes.toString('base64url'), bytes.toString('base64').replace(/=+$/, '')];
  });
  return [...new Set(written)].filter((value) => value.length >= 12);
}

function listStrings(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  // Every account has the same name of the server's OPAQUE setup.
  return Object.entries(value).flatMap(([name, each]) => (name === 'setup' ? [] : listStrings(each)));
}

/** Directory and shards: whether they answer, whether they lose commits in a crash, and whether their schema is current. */
import { sql } from 'kysely';
import type { Kysely } from 'kysely';
import { withLogin } from '../../platform/postgres/database-url.ts';
import { readSchemaState } from '../../platform/postgres/migrate.ts';
import type { SchemaName } from '../../platform/postgres/migrate.ts';
import { openProbePool, queryBuilder } from '../../platform/postgres/pools.ts';
import type { Clock } from '../../platform/concurrency/clock.ts';
import { codeOf, measureSkew } from './finding.ts';
import type { Check, Finding, CheckInput } from './finding.ts';

const OLDEST_VERSION = 150_000;
const TIMEOUT_MS = 15_000;
/** Each process stamps messages and expires sessions by its own clock. */
const MAX_CLOCK_SKEW_MS = 5_000;

interface Database {
  name: string;
  url: string;
  schema: SchemaName;
}

export const databaseChecks: Check[] = [{ part: 'databases', run: checkDatabases }];

async function checkDatabases(input: CheckInput): Promise<Finding[]> {
  const { config, secrets } = input;
  const login = { password: secrets?.databasePassword };
  const databases: Database[] = [
    { name: 'the directory', url: withLogin(config.DIRECTORY_URL, login), schema: 'directory' },
    ...config.SHARD_URLS.map(({ id, url }) => ({
      name: `shard ${id}`,
      url: withLogin(url, login),
      schema: 'shard' as const,
    })),
  ];
  const found = await Promise.all(databases.map((database) => checkDatabase(database, input)));
  return found.flat();
}

async function checkDatabase({ name, url, schema }: Database, { clock }: CheckInput): Promise<Finding[]> {
  await using db = queryBuilder<Record<string, never>>(openProbePool({ url, timeoutMs: TIMEOUT_MS }));
  try {
    return [...(await checkServer(db, name, clock)), ...(await checkSchema(db, name, schema))];
  } catch (error) {
    return [{ problem: `${name} does not answer (${codeOf(error)})`, remedy: remedyFor(error, schema) }];
  }
}

function remedyFor(error: unknown, schema: SchemaName): string {
  const setting = schema === 'directory' ? 'DIRECTORY_URL' : 'SHARD_URLS';
  switch (codeOf(error)) {
    case '3D000':
      return `create the database that ${setting} names, then run migrate`;
    case '28P01':
    case '28000':
      return `correct user and password in ${setting}, or let that user in (pg_hba.conf)`;
    default:
      return `start PostgreSQL, or correct ${setting}`;
  }
}

interface ServerState {
  version: number;
  now: number;
  synchronousCommit: string;
  fsync: string;
}

async function checkServer(db: Kysely<Record<string, never>>, name: string, clock: Clock): Promise<Finding[]> {
  const askedAt = clock.now();
  const { rows } = await sql<ServerState>`
    select current_setting('server_version_num')::int as version, extract(epoch from clock_timestamp())::float8 * 1000 as now,
      current_setting('synchronous_commit') as "synchronousCommit", current_setting('fsync') as fsync`.execute(db);
  const state = rows[0]!;
  const findings: Finding[] = [];
  if (state.version < OLDEST_VERSION) {
    findings.push({ problem: `${name} is on PostgreSQL ${state.version}`, remedy: 'upgrade it to 15 or newer' });
  }
  if (state.synchronousCommit === 'off' || state.fsync === 'off') {
    findings.push({
      problem: `${name} confirms messages before they are on disk`,
      remedy: 'set synchronous_commit = on and fsync = on in postgresql.conf',
    });
  }
  const skewMs = measureSkew(state.now, askedAt, clock.now());
  if (skewMs > MAX_CLOCK_SKEW_MS) {
    findings.push({
      problem: `the clock of this machine and that of ${name} differ by ${Math.round(skewMs / 1_000)} seconds`,
      remedy: 'let chrony or systemd-timesyncd keep the time on both',
    });
  }
  return findings;
}

async function checkSchema(db: Kysely<Record<string, never>>, name: string, schema: SchemaName): Promise<Finding[]> {
  const { missing, unknown } = await readSchemaState(db, schema);
  const findings: Finding[] = [];
  if (missing.length > 0) {
    findings.push({
      problem: `${name} lacks ${missing.length} migrations, from ${missing[0]} on`,
      remedy: 'run migrate before starting this version',
    });
  }
  if (unknown.length > 0) {
    findings.push({
      problem: `${name} has the migration ${unknown.at(-1)}, which this version does not know`,
      remedy: 'install the newer version again that applied it',
    });
  }
  return findings;
}

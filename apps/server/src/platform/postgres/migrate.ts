/**
 * Brings a database to the newest schema.
 *
 * Promise: all or nothing (one transaction), and two processes that start together do it once (the migrator's
 * advisory lock).
 */
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import type { Kysely } from 'kysely';
import { Migrator } from 'kysely/migration';
import type { Migration, MigrationProvider } from 'kysely/migration';

export type SchemaName = 'directory' | 'shard';

const ROOT = join(import.meta.dirname, '../../../migrations');

class SqlFiles implements MigrationProvider {
  #folder: string;

  constructor(schema: SchemaName) {
    this.#folder = join(ROOT, schema);
  }

  async getMigrations(): Promise<Record<string, Migration>> {
    const names = (await readdir(this.#folder)).filter((name) => name.endsWith('.sql')).toSorted();
    const files = names.map(async (name) => {
      const text = await readFile(join(this.#folder, name), 'utf8');
      return [name, { up: async (db: Kysely<never>) => void (await sql.raw(text).execute(db)) }] as const;
    });
    return Object.fromEntries(await Promise.all(files));
  }
}

export async function migrateDatabase<Tables>(db: Kysely<Tables>, schema: SchemaName): Promise<number> {
  const migrator = new Migrator({ db, provider: new SqlFiles(schema) });
  const { error, results } = await migrator.migrateToLatest();
  if (error !== undefined) throw error;
  return results?.length ?? 0;
}

export interface SchemaState {
  /** Steps that this version has and the database has not. */
  missing: string[];
  /** Steps of the database that this version does not know: a newer one was here. */
  unknown: string[];
}

export async function readSchemaState<Tables>(db: Kysely<Tables>, schema: SchemaName): Promise<SchemaState> {
  const known = Object.keys(await new SqlFiles(schema).getMigrations());
  // Without the table nothing was ever migrated here.
  const { rows: tables } = await sql<{ name: string | null }>`select to_regclass('kysely_migration') as name`.execute(
    db,
  );
  const done = tables[0]?.name == null ? [] : await listDone(db);
  return {
    missing: known.filter((step) => !done.includes(step)),
    unknown: done.filter((step) => !known.includes(step)),
  };
}

async function listDone<Tables>(db: Kysely<Tables>): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db);
  return rows.map(({ name }) => name);
}

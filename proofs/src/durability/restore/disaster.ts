/** Deletes a cluster's files and restores them with the commands of the handbook. */
import { existsSync, rmSync } from 'node:fs';
import type { Postgres } from '@dostar/tools/servers';
import { waitFor } from '@dostar/tools/servers';
import { shardName } from '../../harness/lib/engines.ts';
import type { Backup, Cluster } from './backup.ts';
import { findFolder } from './backup.ts';

/** The contents of a shard: server time by owner and message. */
export type Contents = Map<string, number>;

export interface Loss {
  at: number;
  /** The entries of each shard, read right before the kill. */
  before: Map<number, Contents>;
}

/** Kills the clusters and deletes all their files, `pauseMs` after a WAL segment was archived. */
export async function destroy(clusters: Cluster[], shards: Map<number, Postgres>, pauseMs: number): Promise<Loss> {
  const folders = await Promise.all(clusters.map(({ engine }) => findFolder(engine)));
  await waitForDeparture(clusters.at(-1)!.engine);
  await new Promise((resolve) => {
    setTimeout(resolve, pauseMs);
  });
  const before = new Map<number, Contents>();
  for (const [id, engine] of shards) before.set(id, await readContents(engine, id));
  const at = Date.now();
  for (const { engine } of clusters) engine.signal('SIGKILL');
  for (const folder of folders) {
    // Backends that have not yet noticed the kill may still be writing.
    await waitFor(() => (rmSync(folder, { recursive: true, force: true }), !existsSync(folder)), {
      what: `${folder} to be gone`,
    });
  }
  return { at, before };
}

/** Waits for the archiving of a WAL segment. What is written from then on stays unarchived for a while. */
async function waitForDeparture(engine: Postgres): Promise<void> {
  const count = (): Promise<string> => engine.sql('postgres', 'select archived_count from pg_stat_archiver');
  const begun = await count();
  await waitFor(async () => (await count()) !== begun, { what: 'a segment of WAL to leave', everyMs: 100 });
}

export async function restoreFromBackup(backup: Backup, clusters: Cluster[]): Promise<void> {
  await backup.run('restore', ...clusters.map(({ name }) => name));
  for (const { engine } of clusters) await engine.restart();
  await backup.run('resume');
}

export async function readContents(engine: Postgres, id: number): Promise<Contents> {
  const rows = await engine.sql(shardName(id), "select owner || ' ' || message_id, at from log");
  return new Map(
    rows
      .split('\n')
      .filter((row) => row !== '')
      .map((row) => row.split('|'))
      .map(([key, at]) => [key!, Number(at)]),
  );
}

/**
 * Where each bucket is, as far as this process knows.
 *
 * The table in the directory is versioned and cached here; it is a hint. The shard decides: it answers `moved` for
 * an account that it no longer has, and the caller reloads and tries again (SPEC P1).
 */
import type { AccountId } from '@dostar/protocol/ids';
import type { Kysely } from 'kysely';
import type { DirectoryTables } from './tables/tables.ts';

export const BUCKETS = 1024;

/** The last ten bits. SQL has the same function under the same name. */
export function bucketOf(account: AccountId): number {
  return Number.parseInt(account.slice(-3), 16) % BUCKETS;
}

export class Placement {
  #directory: Kysely<DirectoryTables>;
  #shards: Int16Array = new Int16Array(BUCKETS).fill(-1);
  #loading: Promise<void> | undefined;
  #next: Promise<void> | undefined;

  constructor(directory: Kysely<DirectoryTables>) {
    this.#directory = directory;
  }

  shardOf(account: AccountId): number {
    const shard = this.#shards[bucketOf(account)] ?? -1;
    if (shard < 0) throw new Error(`bucket ${bucketOf(account)} has no shard: run the migrations`);
    return shard;
  }

  bucketsOf(shard: number): number[] {
    return [...this.#shards.keys()].filter((bucket) => this.#shards[bucket] === shard);
  }

  /**
   * Callers that find themselves at the wrong shard at the same moment share one reading. A reading that is already on
   * its way may be older than what they found, and would tell them that the account does not exist: they share the next.
   */
  reload(): Promise<void> {
    if (!this.#loading) return this.#load();
    this.#next ??= this.#loading
      .catch(() => {})
      .then(() => {
        this.#next = undefined;
        return this.#load();
      });
    return this.#next;
  }

  #load(): Promise<void> {
    this.#loading = this.#read().finally(() => {
      this.#loading = undefined;
    });
    return this.#loading;
  }

  async #read(): Promise<void> {
    const rows = await this.#directory.selectFrom('placement').select(['bucket', 'shard']).execute();
    const next = new Int16Array(BUCKETS).fill(-1);
    for (const row of rows) next[row.bucket] = row.shard;
    this.#shards = next;
  }
}

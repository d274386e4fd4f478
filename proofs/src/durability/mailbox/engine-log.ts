/** What PostgreSQL complained about: the server retries a failed batch, so a deadlock would hide from its callers. */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Postgres } from '@dostar/tools/servers';

/** A bucket that has moved, said by the shard on purpose, and what we cut ourselves. */
const EXPECTED = /bucket \d+ is not here|terminating connection|canceling statement/;

export class EngineLog {
  readonly #path: string;
  #read = 0;

  private constructor(path: string) {
    this.#path = path;
    this.takeErrors();
  }

  static async open(postgres: Postgres): Promise<EngineLog> {
    const data = await postgres.sql('postgres', 'show data_directory');
    return new EngineLog(join(dirname(data.trim()), 'postgres.log'));
  }

  /** Since the last time. */
  takeErrors(): string[] {
    const file = openSync(this.#path, 'r');
    const size = fstatSync(file).size;
    const buffer = Buffer.alloc(size - this.#read);
    readSync(file, buffer, 0, buffer.length, this.#read);
    closeSync(file);
    this.#read = size;
    const lines = buffer.toString('utf8').split('\n');
    return lines.filter((line) => /(ERROR|FATAL|PANIC): /.test(line) && !EXPECTED.test(line));
  }
}

/**
 * Reads errors from the log of PostgreSQL: the server retries a failed batch, so its callers would not see a deadlock.
 */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Postgres } from '@dostar/tools/servers';

/** Errors that the proof causes: a bucket that has moved away, and connections that it cut. */
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

  /** Errors since the last call. */
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

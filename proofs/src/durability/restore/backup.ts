/** The installation's own backup program (deploy/backup), pointed at the clusters of a proof. */
import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { installDebian } from '@dostar/tools/servers';
import type { Postgres } from '@dostar/tools/servers';
import { REPO_ROOT } from '../../harness/lib/engines.ts';

const execute = promisify(execFile);
const PROGRAM = join(REPO_ROOT, 'deploy/backup/dostar-backup');

export interface Cluster {
  name: string;
  engine: Postgres;
}

/** The path is short enough for a socket, and the user that PostgreSQL runs as can read it. */
export function prepareFolders(): { root: string; sockets: string } & Disposable {
  const root = mkdtempSync('/var/tmp/dostar-restore-');
  const sockets = join(root, 's');
  mkdirSync(sockets);
  for (const folder of [root, sockets]) chmodSync(folder, 0o777);
  return { root, sockets, [Symbol.dispose]: () => rmSync(root, { recursive: true, force: true }) };
}

export interface BackupOptions {
  root: string;
  sockets: string;
  clusters: Cluster[];
  folders: string[];
  rpoSeconds: number;
}

export class Backup {
  readonly #conf: string;
  readonly #repo: string;

  private constructor(root: string) {
    this.#conf = join(root, 'backup.conf');
    this.#repo = join(root, 'repository');
  }

  static async prepare({ root, sockets, clusters, folders, rpoSeconds }: BackupOptions): Promise<Backup> {
    await installDebian(['pgbackrest', 'restic']);
    const backup = new Backup(root);
    const places = await Promise.all(
      clusters.map(async ({ name, engine }) => `${name}=${await findFolder(engine)}:${engine.port}`),
    );
    const lines = {
      REPO: backup.#repo,
      KEY_FILE: join(root, 'backup.key'),
      STATE: join(root, 'state'),
      SOCKETS: sockets,
      CLUSTERS: places.join(' '),
      FOLDERS: folders.join(' '),
      RPO_SECONDS: String(rpoSeconds),
    };
    const text = Object.entries(lines).map(([name, value]) => `${name}="${value}"\n`);
    writeFileSync(backup.#conf, text.join(''));
    return backup;
  }

  async run(...words: string[]): Promise<string> {
    const env = { ...process.env, DOSTAR_BACKUP_CONF: this.#conf };
    const { stdout } = await execute(PROGRAM, words, { env });
    return stdout.trim();
  }

  /** All files in the backup repository of the databases. */
  listFiles(): string[] {
    const folder = join(this.#repo, 'postgres');
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));
  }
}

/** Overwrites four bytes of a stored file, as a failing disk would. */
export function damage(file: string): void {
  const bytes = readFileSync(file);
  const middle = Math.floor(bytes.length / 2);
  bytes.fill(0xff, middle, middle + 4);
  writeFileSync(file, bytes);
}

/** Files that pgBackRest encrypted begin with this header. */
export function isEncrypted(file: string): boolean {
  return readFileSync(file).subarray(0, 8).toString('latin1') === 'Salted__';
}

export function findFolder(engine: Postgres): Promise<string> {
  return engine.sql('postgres', 'show data_directory');
}

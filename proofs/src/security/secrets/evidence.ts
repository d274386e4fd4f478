/** Everything that is kept or passes by: dumps of the databases, the bus and its disk, logs, addresses. */
import { execFile } from 'node:child_process';
import { globSync, readFileSync, statSync } from 'node:fs';
import { createConnection, createServer } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '@dostar/tools/servers';
import type { Nats } from '@dostar/tools/servers';
import { REPO_ROOT } from '../../harness/lib/engines.ts';
import type { Engines } from '../../harness/lib/engines.ts';

const run = promisify(execFile);
const PG_DUMP = '/usr/lib/postgresql/15/bin/pg_dump';
const MOST_BYTES = 512 * 1024 * 1024;

/** Bytes are in hex there, texts as they are. */
export async function dumpDatabases({ env }: Engines): Promise<string> {
  const urls = [env.DIRECTORY_URL, ...env.SHARD_URLS.split(',').map((part) => part.slice(part.indexOf('=') + 1))];
  const dumps = await Promise.all(urls.map((url) => run(PG_DUMP, ['-d', url], { maxBuffer: MOST_BYTES })));
  return dumps.map(({ stdout }) => stdout).join('\n');
}

export interface Eavesdropper extends AsyncDisposable {
  /** Where our processes believe the bus to be. */
  url: string;
  /** Everything said to and by the bus since it began, with subjects and headers. */
  read(): string;
}

/**
 * Sits on the wire between our processes and the bus. A subscription to everything would not do: it is interest in the
 * reply to a worker that has died, and the bus would keep handing that worker its jobs.
 */
export async function eavesdrop(nats: Nats): Promise<Eavesdropper> {
  const heard: Buffer[] = [];
  const server = createServer((client) => {
    const bus = createConnection({ port: nats.port, host: '127.0.0.1' });
    for (const [from, to] of [
      [client, bus],
      [bus, client],
    ] as const) {
      from.on('data', (chunk: Buffer) => heard.push(chunk));
      from.on('error', () => to.destroy()).on('close', () => to.destroy());
      from.pipe(to);
    }
  });
  const port = await freePort();
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    url: `127.0.0.1:${port}`,
    read: () => Buffer.concat(heard).toString('latin1'),
    async [Symbol.asyncDispose]() {
      server.close();
    },
  };
}

/** The streams as they lie on the disk of the bus. */
export function readStreams(proof: string): string {
  return readFolder(join(REPO_ROOT, '.dev/proofs', proof, 'nats/jetstream'));
}

/** Of our processes, and of the engines. */
export function readLogs(proof: string, logFolder: string): string {
  const engines = globSync('{postgres,nats}/*.log', { cwd: join(REPO_ROOT, '.dev/proofs', proof) });
  const own = readFolder(logFolder);
  return [own, ...engines.map((file) => readFileSync(join(REPO_ROOT, '.dev/proofs', proof, file), 'latin1'))].join(
    '\n',
  );
}

/** Everything in a folder, byte for byte. */
export function readFolder(folder: string): string {
  return globSync('**/*', { cwd: folder })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile())
    .map((path) => readFileSync(path, 'latin1'))
    .join('\n');
}

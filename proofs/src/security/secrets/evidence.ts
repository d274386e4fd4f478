/** Everything that is stored or transmitted: dumps of the databases, bus traffic and streams, logs, URLs. */
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

/** Dumps contain bytes in hex and texts unchanged. */
export async function dumpDatabases({ env }: Engines): Promise<string> {
  const urls = [env.DIRECTORY_URL, ...env.SHARD_URLS.split(',').map((part) => part.slice(part.indexOf('=') + 1))];
  const dumps = await Promise.all(urls.map((url) => run(PG_DUMP, ['-d', url], { maxBuffer: MOST_BYTES })));
  return dumps.map(({ stdout }) => stdout).join('\n');
}

export interface Eavesdropper extends AsyncDisposable {
  /** Address of the bus for our processes. */
  url: string;
  /** All bus traffic so far, with subjects and headers. */
  read(): string;
}

/**
 * A proxy between our processes and the bus. Subscribing to everything instead would count as interest in the reply to
 * a dead worker, and the bus would keep sending jobs to that worker.
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

/** The stream files on the disk of the bus. */
export function readStreams(proof: string): string {
  return readFolder(join(REPO_ROOT, '.dev/proofs', proof, 'nats/jetstream'));
}

/** Logs of our processes and of the engines. */
export function readLogs(proof: string, logFolder: string): string {
  const engines = globSync('{postgres,nats}/*.log', { cwd: join(REPO_ROOT, '.dev/proofs', proof) });
  const own = readFolder(logFolder);
  return [own, ...engines.map((file) => readFileSync(join(REPO_ROOT, '.dev/proofs', proof, file), 'latin1'))].join(
    '\n',
  );
}

/** The bytes of all files in a folder. */
export function readFolder(folder: string): string {
  return globSync('**/*', { cwd: folder })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile())
    .map((path) => readFileSync(path, 'latin1'))
    .join('\n');
}

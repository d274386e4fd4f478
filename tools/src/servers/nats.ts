import { readFileSync, writeFileSync } from 'node:fs';
import { createConnection } from 'node:net';
import { basename, join, resolve } from 'node:path';
import { runEngine } from './engine.ts';
import type { Engine } from './engine.ts';
import { makeFolder, repoRoot } from './folders.ts';
import { launch } from './launch.ts';
import { canConnect, freePort } from './ports.ts';
import { findRunning } from './records.ts';
import { isRunning } from './processes.ts';
import type { ProcessRef } from './processes.ts';
import { unpackDebian } from './unpack-debian.ts';
import { waitFor } from './wait-for.ts';

export interface NatsOptions {
  dir: string;
  port: number;
  cluster?: { name: string; port: number; routes: number[] };
  /** Runs NATS without JetStream, for tests of the doctor. */
  hasNoJetStream?: boolean;
  /** Paths of a certificate and its key: the server then refuses connections without TLS. */
  tls?: { cert: string; key: string };
  /** `USER:PASSWORD`. With it the server accepts only the user of an installation, with that user's permissions. */
  credentials?: string;
  /** Name in .dev/run; without one it ends with the process that started it. */
  record?: string;
}

export interface Nats extends Engine {
  readonly url: string;
}

export interface NatsCluster extends AsyncDisposable {
  readonly nodes: Nats[];
  readonly urls: string[];
}

/** Unpacks a newer nats-server: the one of Debian 12 silently ignores message TTLs. */
export function installNats(): Promise<string> {
  return unpackDebian({ name: 'nats-server', suite: 'forky', package: 'nats-server', file: 'usr/sbin/nats-server' });
}

/** Starts one server with JetStream. A cluster member is returned as soon as it listens: it has no leader yet. */
export async function startNats(asked: NatsOptions): Promise<Nats> {
  const binary = await installNats();
  // The server runs in this folder, so a relative path would point elsewhere.
  const options = { ...asked, dir: resolve(asked.dir) };
  makeFolder(options.dir, undefined);
  const log = join(options.dir, 'nats.log');
  const config = join(options.dir, 'nats.conf');
  const url = `nats://127.0.0.1:${options.port}`;

  async function start(): Promise<ProcessRef> {
    const present = options.record === undefined ? undefined : findRunning(options.record);
    if (present) {
      if (present.port === options.port) return { pid: present.pid, identity: present.identity };
      throw new Error(`${options.record} already runs, but on port ${present.port}.`);
    }
    writeFileSync(config, describeServer(options));
    const survives = options.record !== undefined;
    const ref = await launch({ command: binary, args: ['-c', config], cwd: options.dir, log, survives });
    const isUp = (): Promise<boolean> =>
      options.cluster || options.hasNoJetStream || options.tls
        ? canConnect(options.port)
        : hasJetStream(options.port, options.credentials);
    await waitFor(async () => !isRunning(ref) || (await isUp()), { what: `NATS on port ${options.port}` });
    if (!isRunning(ref)) throw new Error(`NATS did not start on port ${options.port}; see ${log}`);
    return ref;
  }

  const engine = await runEngine({ port: options.port, log, stopSignal: 'SIGTERM', record: options.record, start });
  return Object.assign(engine, { url });
}

/** Starts one node for each port and returns when JetStream has a leader that every node knows. */
export async function startNatsCluster(options: { dir: string; ports: number[] }): Promise<NatsCluster> {
  const routes = await Promise.all(options.ports.map(() => freePort()));
  const nodes = await Promise.all(
    options.ports.map((port, index) => {
      const cluster = { name: 'dostar', port: routes[index]!, routes };
      return startNats({ dir: join(options.dir, `node-${index}`), port, cluster });
    }),
  );
  const areReady = async (): Promise<boolean> =>
    (await Promise.all(options.ports.map((port) => hasJetStream(port)))).every(Boolean);
  await waitFor(areReady, { timeoutMs: 60_000, everyMs: 100, what: 'a JetStream leader' });
  const stopAll = async (): Promise<void> => void (await Promise.all(nodes.map((node) => node.stop())));
  return { nodes, urls: nodes.map((node) => node.url), [Symbol.asyncDispose]: stopAll };
}

function describeServer(options: NatsOptions): string {
  const lines = [
    // JetStream identifies peers by name: a name that changed with the port would be a fourth node on the old folder.
    `server_name: "${basename(options.dir)}"`,
    `listen: "127.0.0.1:${options.port}"`,
  ];
  if (!options.hasNoJetStream) {
    lines.push(`jetstream { store_dir: "${join(options.dir, 'jetstream')}", max_mem: 256MB, max_file: 4GB }`);
  }
  if (options.tls) lines.push(`tls { cert_file: "${options.tls.cert}", key_file: "${options.tls.key}" }`);
  if (options.credentials !== undefined) {
    const users = readFileSync(join(repoRoot, 'deploy/nats/users.conf'), 'utf8');
    lines.push(users.replace('PASSWORD', options.credentials.split(':')[1]!));
  }
  if (options.cluster) {
    const routes = options.cluster.routes.map((port) => `"nats://127.0.0.1:${port}"`).join(', ');
    lines.push(
      `cluster { name: "${options.cluster.name}", listen: "127.0.0.1:${options.cluster.port}", routes: [${routes}] }`,
    );
  }
  return `${lines.join('\n')}\n`;
}

/** Asks JetStream itself: a server that listens may still have no leader. */
export function hasJetStream(port: number, credentials?: string): Promise<boolean> {
  const { promise, resolve: answerWith } = Promise.withResolvers<boolean>();
  const socket = createConnection({ port, host: '127.0.0.1' });
  let answer = '';
  socket.on('data', (chunk) => {
    answer += chunk.toString();
    const reply = /MSG _INBOX\.look 1 \d+\r\n(.*)\r\n/.exec(answer)?.[1];
    if (reply !== undefined) answerWith(!reply.includes('"error"'));
  });
  socket.on('error', () => answerWith(false));
  socket.setTimeout(1_000, () => answerWith(false));
  const [user, pass] = credentials?.split(':') ?? [];
  const connect = JSON.stringify({ verbose: false, user, pass });
  socket.write(`CONNECT ${connect}\r\nSUB _INBOX.look 1\r\nPUB $JS.API.INFO _INBOX.look 0\r\n\r\n`);
  return promise.finally(() => socket.destroy());
}

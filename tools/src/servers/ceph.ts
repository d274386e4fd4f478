/** A real object store: a minimal Ceph (one monitor, one store, one S3 gateway) on loopback. */
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { installDebian } from './debian.ts';
import { runEngine } from './engine.ts';
import type { Engine } from './engine.ts';
import { launch } from './launch.ts';
import { canConnect, freePort } from './ports.ts';
import { isRunning, stopProcess } from './processes.ts';
import type { ProcessRef } from './processes.ts';
import { run } from './run.ts';
import { waitFor } from './wait-for.ts';

const PACKAGES = ['ceph-mon', 'ceph-osd', 'radosgw', 'ceph-common'];
const KEY = 'DOSTARKEY';
const SECRET = 'dostar-secret';

export interface CephOptions {
  dir: string;
  port: number;
}

/** `signal`, `stop` and `restart` act on the S3 gateway. The other processes end with it. */
export interface Ceph extends Engine {
  /** Environment variables for a server. */
  env: { S3_ENDPOINT: string; S3_CREDENTIALS: string };
}

/** Starts a new, empty store. It ends with the process that started it. */
export async function startCeph(options: CephOptions): Promise<Ceph> {
  await installDebian(PACKAGES);
  const dir = resolve(options.dir);
  rmSync(dir, { recursive: true, force: true });
  for (const folder of ['mon', 'osd', 'run']) mkdirSync(join(dir, folder), { recursive: true });
  const config = join(dir, 'ceph.conf');
  const fsid = randomUUID();
  const monitor = `[v2:127.0.0.1:${await freePort()}]`;
  writeFileSync(config, describeCluster({ dir, fsid, monitor, port: options.port }));
  const started: ProcessRef[] = [];

  async function startDaemon(program: string, args: string[]): Promise<ProcessRef> {
    const log = join(dir, `${program}.log`);
    return launch({ command: program, args: ['-c', config, '-f', ...args], cwd: dir, log, survives: false });
  }

  await createMonitor({ dir, config, fsid, monitor });
  started.push(await startDaemon('ceph-mon', ['-i', 'a']));
  const store = randomUUID();
  await run('ceph', ['-c', config, '--connect-timeout', '30', 'osd', 'new', store]);
  await run('ceph-osd', ['-c', config, '-i', '0', '--mkfs', '--osd-uuid', store]);
  started.push(await startDaemon('ceph-osd', ['-i', '0']));

  const gateway = await runEngine({
    port: options.port,
    log: join(dir, 'radosgw.log'),
    stopSignal: 'SIGTERM',
    async start() {
      const ref = await startDaemon('radosgw', ['-n', 'client.rgw']);
      const isUp = async (): Promise<boolean> => !isRunning(ref) || (await canConnect(options.port));
      await waitFor(isUp, { timeoutMs: 60_000, everyMs: 100, what: `Ceph on port ${options.port}` });
      if (!isRunning(ref)) throw new Error(`The gateway of Ceph ended at once; see ${join(dir, 'radosgw.log')}`);
      return ref;
    },
  });
  const keys = ['--access-key', KEY, '--secret', SECRET];
  await run('radosgw-admin', ['-c', config, 'user', 'create', '--uid', 'dostar', '--display-name', 'dostar', ...keys]);

  async function stopAll(): Promise<void> {
    await gateway.stop();
    for (const ref of started.toReversed()) await stopProcess(ref, { signal: 'SIGTERM' });
  }

  const env = { S3_ENDPOINT: `http://127.0.0.1:${options.port}`, S3_CREDENTIALS: `${KEY}:${SECRET}` };
  return Object.assign(gateway, { env, [Symbol.asyncDispose]: stopAll });
}

interface Cluster {
  dir: string;
  config: string;
  fsid: string;
  monitor: string;
}

async function createMonitor({ dir, config, fsid, monitor }: Cluster): Promise<void> {
  const keyring = join(dir, 'keyring');
  const map = join(dir, 'monmap');
  const all = ['--cap', 'mon', 'allow *', '--cap', 'osd', 'allow *'];
  const users = { 'mon.': all, 'client.admin': all, 'client.rgw': all, 'osd.0': all };
  for (const [name, caps] of Object.entries(users)) {
    const create = existsSync(keyring) ? [] : ['-C'];
    await run('ceph-authtool', [...create, keyring, '-n', name, '--gen-key', ...caps]);
  }
  await run('monmaptool', ['--create', '--fsid', fsid, '--addv', 'a', monitor, '--clobber', map]);
  await run('ceph-mon', ['-c', config, '-i', 'a', '--mkfs', '--monmap', map, '--keyring', keyring]);
}

function describeCluster({ dir, fsid, monitor, port }: Omit<Cluster, 'config'> & { port: number }): string {
  return `[global]
fsid = ${fsid}
mon initial members = a
mon host = ${monitor}
public addr = 127.0.0.1
cluster addr = 127.0.0.1
ms bind ipv6 = false
osd pool default size = 1
osd pool default min size = 1
osd pool default pg num = 8
osd pool default pg autoscale mode = off
mon allow pool size one = true
auth allow insecure global id reclaim = false
osd crush chooseleaf type = 0
mon data avail crit = 1
run dir = ${dir}/run
log file = ${dir}/$name.log
admin socket = ${dir}/run/$name.asok
pid file = ${dir}/run/$name.pid
crash dir = ${dir}/run
keyring = ${dir}/keyring
osd memory target = 939524096
[mon.a]
mon data = ${dir}/mon
[osd.0]
osd data = ${dir}/osd
osd objectstore = bluestore
bluestore block size = 21474836480
[client.rgw]
rgw frontends = beast endpoint=127.0.0.1:${port}
rgw dns name = localhost
rgw run sync thread = false
`;
}

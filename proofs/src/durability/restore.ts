/** A destroyed database is restored from its backup, and its last messages from the devices and the other shards. */
import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort, startRole } from '@dostar/tools/servers';
import type { Role } from '@dostar/tools/servers';
import { type Engines, REPO_ROOT, shardName, startEngines } from '../harness/lib/engines.ts';
import type { Report } from '../harness/lib/report.ts';
import { runProof } from '../harness/lib/run-proof.ts';
import { Backup, type Cluster, damage, isEncrypted, prepareFolders } from './restore/backup.ts';
import { restoreFromBackup, destroy, type Loss, readContents } from './restore/disaster.ts';
import { choosePlan, type RestorePlan, type Variant, VARIANTS } from './restore/plan.ts';
import { raiseEpoch } from './restore/raise-epoch.ts';
import { createAccounts } from './walking/accounts.ts';
import { countMessages } from './walking/plan.ts';
import { startSwarms, type Swarm } from './walking/start-swarm.ts';
import { openDetectionReport } from './walking/detection-report.ts';
import { type Check, verifyDevices, verifyShards } from './walking/verify.ts';

const ORIGIN = 'http://restore.test';
const LOOK_EVERY_MS = 250;
const ROLES = ['api', 'api,worker', 'gateway'];
const FILES = 20;

// The directory and two shards run in separate clusters, each user with the client of a browser. With --without NAME
// one safeguard is left out, and the claim is that the same checks notice.
await runProof({
  name: 'restore',
  claim: 'a database restored from backup and WAL misses nothing older than the stated RPO, and clients bring the rest',
  variants: VARIANTS,
  async run(report, { isShort, without, messages }) {
    const variant = without as Variant | undefined;
    const plan = choosePlan(isShort, variant, messages);
    using folders = prepareFolders();
    const settings = { max_connections: '100', unix_socket_directories: folders.sockets };
    await using engines = await startEngines({ name: 'restore', areApart: true, settings });
    const { check, conclude } = openDetectionReport(report, variant);
    await live(report, engines, { plan, variant, ...folders, check });
    conclude();
  },
});

interface Fixture {
  plan: RestorePlan;
  variant: Variant | undefined;
  check: Check;
  root: string;
  sockets: string;
}

async function live(report: Report, engines: Engines, fixture: Fixture): Promise<void> {
  const { plan, variant, check, root, sockets } = fixture;
  const { writing, rpoSeconds } = plan;

  const people = await createAccounts(engines.env, writing);
  const files = writeFiles(join(root, 'files'));
  const env = { ...engines.env, ORIGIN, LOG_LEVEL: 'error', BLOBS_DIR: join(root, 'blobs') };
  const clusters: Cluster[] = [
    { name: 'directory', engine: engines.directory },
    ...engines.shards.map((engine, id) => ({ name: `shard-${id}`, engine })),
  ];
  const backup = await Backup.prepare({ root, sockets, clusters, folders: [files], rpoSeconds });
  await backup.run('init');
  await Promise.all(clusters.map(({ engine }) => engine.restart()));
  await using processes = await startProcesses(env);
  const ports = { apis: processes.of('api'), gateways: processes.of('gateway') };
  await using swarm = await startSwarms({ people, plan: writing, ...ports, origin: ORIGIN, changesIdOnRetry: false });
  report.say(`${writing.people} devices are online; WAL leaves every ${rpoSeconds} s`);

  const written = swarm.write();
  // Prevents an unhandled rejection: the promise is awaited later, which reports the error.
  written.catch(() => {});
  await sleep(plan.quietMs);
  report.figure('full backup while writing, s', await timed(() => backup.run('run', 'full')));
  checkEncryption(backup, check);
  if (variant === 'archiving') await stopArchiving(clusters);
  for (const disaster of plan.disasters) {
    await sleep(plan.quietMs);
    const ids = disaster === 'everything' ? [...engines.shards.keys()] : [1];
    const doomed = disaster === 'everything' ? clusters : [clusters.at(-1)!];
    const loss = await destroy(doomed, new Map(ids.map((id) => [id, engines.shards[id]!])), (rpoSeconds * 1000) / 2);
    report.say(`${disaster}: killed and every file deleted, ${doomed.map(({ name }) => name).join(', ')}`);
    await processes.stop();
    report.figure(`restored (${disaster}), s`, await timed(() => restoreFromBackup(backup, doomed)));
    await checkLoss(report, engines, loss, rpoSeconds, check);
    for (const id of ids) report.say(`shard ${id}: ${await raiseEpoch(env, id, variant)}`);
    await processes.start();
  }

  await written;
  const healedMs = await heal(swarm, engines, plan);
  report.say(
    healedMs === undefined ? 'not every entry came back' : `all is back ${(healedMs / 1000).toFixed(1)} s later`,
  );
  const { figures, shown } = await swarm.report();
  check('no device met a gap in its stream', (figures.endings['protocol'] ?? 0) === 0);
  check(
    'devices were told to resume from the restored state',
    figures.resets >= writing.people / 2,
    () => `${figures.resets} were`,
  );
  await verifyShards(engines.shards, people, writing, check);
  verifyDevices(shown, people, writing, check);
  if (variant === undefined) {
    await backup.run('run', 'diff');
    const said = await backup.run('verify');
    for (const { name } of clusters)
      check('a backup of the restored databases is complete', said.includes(`${name}: WAL arrives`));
    damage(backup.listFiles().find((file) => file.includes('/backup/directory/') && file.includes('/bundle/'))!);
    const complaint = await backup.run('verify').catch((error: { stderr?: string }) => error.stderr ?? '');
    check('four damaged bytes are found', complaint.includes('a backup of directory is not what it was'));
  }
  await checkFiles(backup, files, join(root, 'again'), check);
  report.figure('messages', countMessages(writing));
  report.figure('devices', writing.people);
  report.figure('devices told to resume from the restored state', figures.resets);
  report.figure('stated RPO, s', 2 * rpoSeconds);
}

/** Nothing older than the stated RPO is missing, whether or not a client has received it. */
async function checkLoss(report: Report, engines: Engines, loss: Loss, rpoSeconds: number, check: Check) {
  let lost = 0;
  let oldest = 0;
  for (const [id, before] of loss.before) {
    const now = await readContents(engines.shards[id]!, id);
    for (const [key, at] of before) {
      const isHere = now.has(key);
      const age = loss.at - at;
      if (!isHere) [lost, oldest] = [lost + 1, Math.max(oldest, age)];
      if (age > 2 * rpoSeconds * 1000) check('a message older than the RPO is in the restored database', isHere);
    }
    report.say(`shard ${id} had ${before.size} entries and has ${now.size}`);
  }
  check('the disaster lost entries, so that the repair is tested', lost > 0);
  report.figure('entries lost with the files', lost);
  report.figure('oldest lost entry, s', oldest / 1000);
}

/** Waits until every message is in both mailboxes and every device is online; returns undefined on timeout. */
async function heal(swarm: Swarm, engines: Engines, { writing }: RestorePlan): Promise<number | undefined> {
  const begun = performance.now();
  const entries = 2 * countMessages(writing);
  let stored = 0;
  while (performance.now() - begun < writing.settleMs) {
    const { online } = await swarm.look();
    const counts = engines.shards.map((shard, id) => shard.sql(shardName(id), 'select count(*) from log'));
    const now = (await Promise.all(counts)).reduce((sum, count) => sum + Number(count), 0);
    // Requires two equal counts in a row, so that the devices have received the last entries.
    if (stored === entries && now === entries && online === writing.people) return performance.now() - begun;
    stored = now;
    await sleep(LOOK_EVERY_MS);
  }
  return undefined;
}

interface Processes extends AsyncDisposable {
  of(role: string): number[];
  start(): Promise<void>;
  stop(): Promise<void>;
}

async function startProcesses(env: Record<string, string>): Promise<Processes> {
  const slots = await Promise.all(ROLES.map(async (roles) => ({ roles, port: await freePort() })));
  let running: Role[] = [];

  async function start(): Promise<void> {
    running = await Promise.all(
      slots.map(({ roles, port }) => {
        const log = join(REPO_ROOT, '.dev/proofs/restore', `${roles.replace(',', '-')}.log`);
        return startRole({ roles, port, env, log });
      }),
    );
  }

  async function stop(): Promise<void> {
    await Promise.all(running.splice(0).map((role) => role.stop()));
  }

  await start();
  return {
    of: (role) => slots.filter(({ roles }) => roles.split(',').includes(role)).map(({ port }) => port),
    start,
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

async function stopArchiving(clusters: Cluster[]): Promise<void> {
  for (const { engine } of clusters) {
    await engine.sql('postgres', "alter system set archive_command = 'true'");
    await engine.sql('postgres', 'select pg_reload_conf()');
  }
}

function checkEncryption(backup: Backup, check: Check): void {
  for (const file of backup.listFiles()) check('a file of the backup is encrypted', isEncrypted(file), () => file);
}

function writeFiles(folder: string): string {
  mkdirSync(folder);
  for (let n = 0; n < FILES; n += 1) writeFileSync(join(folder, `file-${n}`), randomBytes(50_000 + n));
  return folder;
}

/** The backup restores files of users and of secrets byte for byte. */
async function checkFiles(backup: Backup, folder: string, elsewhere: string, check: Check): Promise<void> {
  const before = hashFiles(folder);
  rmSync(folder, { recursive: true });
  await backup.run('restore-files', elsewhere);
  const after = hashFiles(join(elsewhere, folder));
  for (const [name, hash] of before) check('a file is back as it was', after.get(name) === hash, () => name);
}

function hashFiles(folder: string): Map<string, string> {
  const names = readdirSync(folder);
  return new Map(
    names.map((name) => [
      name,
      createHash('sha256')
        .update(readFileSync(join(folder, name)))
        .digest('hex'),
    ]),
  );
}

async function timed(task: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await task();
  return Math.round((performance.now() - begun) / 100) / 10;
}

// Uploads survive kills byte for byte, quotas are exact, no orphan is left, and hostile pictures do no harm.
import { createHash } from 'node:crypto';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort, startCeph } from '@dostar/tools/servers';
import { makePhoto } from '../../../apps/server/test/hostile-pictures.ts';
import { REPO_ROOT } from '../harness/lib/engines.ts';
import type { Report } from '../harness/lib/report.ts';
import { runProof } from '../harness/lib/run-proof.ts';
import { startServers } from '../harness/lib/servers.ts';
import type { Servers } from '../harness/lib/servers.ts';
import { seededRandom } from '../harness/lib/seeded-random.ts';
import { checkAccounting, collect } from './storage/accounting.ts';
import { checkHostile } from './storage/hostile.ts';
import { addUploader, call, FILES, PROJECT } from './storage/uploaders.ts';
import type { ServerEndpoints, Uploader } from './storage/uploaders.ts';
import { checkQuota } from './storage/quota.ts';
import { measureKept } from './storage/speed.ts';
import { startProcessKiller } from './storage/process-killer.ts';
import { hashOf, planUpload, upload } from './storage/upload.ts';
import type { Plan } from './storage/upload.ts';

const FOLDER = join(REPO_ROOT, '.dev/proofs/storage');
const MB = 1024 ** 2;
/** Concurrent uploads, and concurrent chunks of one upload. */
const AT_ONCE = 4;
const SHORT = { uploads: 40, maxBytes: 24 * MB, people: 6, kills: 2, killEveryMs: 600, hostileRounds: 1, seconds: 1 };
const LONG = {
  uploads: 500,
  maxBytes: 200 * MB,
  people: 20,
  kills: 20,
  killEveryMs: 6_000,
  hostileRounds: 9,
  seconds: 12,
};
type RunSize = typeof SHORT;

const DEFINITION = {
  project: PROJECT,
  signUpsPerHour: 100_000,
  // Gives unverified accounts the quota of verified ones, so that no account needs an email.
  unverifiedQuotaBytes: 1024 ** 4,
  unverifiedTotalBytes: 1024 ** 4,
  buckets: [{ id: 'files', permissions: ['create("users")'], fileSecurity: true, maxBytes: 256 * MB }],
};

await runProof({
  name: 'storage',
  claim: 'uploads survive kills byte for byte, quotas are exact, no orphan is left, hostile pictures do no harm',
  async run(report, { isShort, seed }) {
    rmSync(join(FOLDER, 'blobs'), { recursive: true, force: true });
    mkdirSync(FOLDER, { recursive: true });
    const file = join(FOLDER, 'service.json');
    writeFileSync(file, JSON.stringify(DEFINITION));
    report.figure('seed', String(seed));
    const env = { APPWRITE_CONFIG_FILE: file };
    const runSize = isShort ? SHORT : LONG;
    const folder = { ...env, BLOBS_DIR: join(FOLDER, 'blobs') };
    await report.within('in a folder', () => proveOn(report, runSize, seed, folder, []));
    if (isShort) return;
    await using ceph = await startCeph({ dir: join(FOLDER, 'ceph'), port: await freePort() });
    const fewer = { ...runSize, uploads: 100, hostileRounds: 0 };
    await report.within('in Ceph', () => proveOn(report, fewer, seed, { ...env, ...ceph.env }, [ceph]));
  },
});

async function proveOn(
  report: Report,
  runSize: RunSize,
  seed: number,
  env: Record<string, string>,
  stores: { signal(signal: NodeJS.Signals): void; restart(): Promise<void> }[],
): Promise<void> {
  const quota = 3 * 1024 * MB;
  const roles = ['api', 'api'];
  const given = { ...env, BLOB_QUOTA_BYTES: String(quota) };
  await using servers = await startServers({ name: 'storage', settings: { fsync: 'off' }, env: given, roles });
  const endpoints = takeTurns(servers);
  const people: Uploader[] = [];
  for (let n = 0; n < runSize.people; n += 1) people.push(await addUploader(endpoints));

  const random = seededRandom(seed);
  const victims = [...servers.processes, ...stores];
  const killer = startProcessKiller(victims, seededRandom(seed + 1), runSize.killEveryMs);
  const plans: Plan[] = [];
  function* planAll(): Generator<Plan> {
    for (let n = 0; n < runSize.uploads || killer.kills() < runSize.kills; n += 1) {
      const plan = planUpload(n, random, runSize.maxBytes);
      plans.push(plan);
      yield plan;
    }
  }
  const whose = (plan: Plan): Uploader => people[plan.seed % people.length]!;
  await inParallel(planAll(), async (plan) => {
    const isWhole = await upload(endpoints, whose(plan), plan, AT_ONCE);
    report.check(
      'a file is reported complete exactly when it is',
      isWhole === (plan.end !== 'abandoned'),
      () => plan.id,
    );
    if (plan.end === 'deleted') await call(endpoints, `${FILES}/${plan.id}`, () => ({ method: 'DELETE' }), whose(plan));
  });
  await killer.end();
  report.figure('kills', killer.kills());
  report.figure('MB uploaded', plans.reduce((sum, { size }) => sum + size, 0) / MB);
  await inParallel(plans, (plan) => checkBytes(report, endpoints, whose(plan), plan));

  await checkSmallQuota(report, servers, endpoints);
  const [person] = people;
  const { processes } = servers;
  await checkHostile(report, endpoints, { person: person!, processes, rounds: runSize.hostileRounds });
  const photo = new Uint8Array(await makePhoto());
  const isJudged = runSize.seconds > 1;
  await measureKept(report, endpoints, { person: person!, photo, seconds: runSize.seconds, isJudged });
  report.figure('swept', await collect(servers.ctx));
  await checkAccounting(report, servers.ctx);
}

function takeTurns({ processes }: Servers): ServerEndpoints {
  let turn = 0;
  return {
    next() {
      turn += 1;
      return processes[turn % processes.length]!.url;
    },
  };
}

async function inParallel(plans: Iterable<Plan>, task: (plan: Plan) => Promise<void>): Promise<void> {
  const waiting = plans[Symbol.iterator]();
  const work = async (): Promise<void> => {
    for (let next = waiting.next(); !next.done; next = waiting.next()) await task(next.value);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}

async function checkBytes(report: Report, endpoints: ServerEndpoints, person: Uploader, plan: Plan): Promise<void> {
  const { status, bytes } = await call(endpoints, `${FILES}/${plan.id}/download`, () => ({}), person);
  if (plan.end !== 'kept') {
    report.check('an incomplete or deleted file is 404', status === 404, () => `${plan.id}: ${status}`);
    return;
  }
  const isSame = createHash('sha256').update(bytes).digest('hex') === hashOf(plan);
  report.check('a file is downloaded byte for byte', status === 200 && isSame, () => `${plan.id}: ${status}`);
}

/** Uses a small quota: it would take a day to fill the large one. */
async function checkSmallQuota(report: Report, servers: Servers, endpoints: ServerEndpoints): Promise<void> {
  const quota = 10 * MB + 4_321;
  const person = await addUploader(endpoints);
  await servers.restart({ env: { BLOB_QUOTA_BYTES: String(quota) } });
  await checkQuota(report, endpoints, person, quota);
  await servers.restart();
}

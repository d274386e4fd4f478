// Readers of documents match an independent implementation of the rules; no account gets roles by another's id.
// With --without NAME one rule is left out, and the claim is that this proof notices.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readConfig } from '../../../apps/server/src/config.ts';
import { requireCollection } from '../../../apps/server/src/appwrite/documents/service.ts';
import { openContext } from '../../../apps/server/src/open-context.ts';
import { readSecrets } from '../../../apps/server/src/secrets.ts';
import { readAppwriteDefinition } from '../../../apps/server/src/appwrite-definition.ts';
import type { Arguments } from '../harness/lib/arguments.ts';
import { REPO_ROOT, startEngines } from '../harness/lib/engines.ts';
import type { Report } from '../harness/lib/report.ts';
import { runProof } from '../harness/lib/run-proof.ts';
import { startServers } from '../harness/lib/servers.ts';
import { silentBus } from '../harness/lib/silent-bus.ts';
import { compare, insertDocument } from './permissions/compare.ts';
import type { ServerInputs } from './permissions/compare.ts';
import { attemptTakeovers, TAKEOVER_DEFINITION } from './permissions/takeover.ts';
import { ID_VARIANTS } from './permissions/variants.ts';
import {
  callerOf,
  containerOf,
  createRandom,
  randomSubject,
  randomContainer,
  randomDocumentPermissions,
} from './permissions/random-cases.ts';
import { sabotagedServer } from '../harness/sabotage/server.ts';

const CONTAINERS = 60;
const DOCUMENTS = 8;

/** Simulates a server without one of its rules. */
const VARIANTS: Record<string, (serverInputs: ServerInputs) => ServerInputs> = {
  'document-security': ({ collection, caller }) => ({ collection: { ...collection, documentSecurity: true }, caller }),
  'collection-permissions': ({ collection, caller }) => ({ collection: { ...collection, permissions: [] }, caller }),
  guests: ({ collection, caller }) => ({ collection, caller: { ...caller, roles: [...caller.roles, 'guests'] } }),
  verified: ({ collection, caller }) => ({
    collection,
    caller: { ...caller, roles: caller.roles.flatMap((role) => [role, role.replace('/unverified', '/verified')]) },
  }),
};

await runProof({
  name: 'permissions',
  claim:
    "documents go to the readers that the rules name, in 20,000 random cases, and no chosen id opens another account's data",
  variants: [...Object.keys(VARIANTS), ...Object.keys(ID_VARIANTS)],
  async run(report, args) {
    const { without } = args;
    if (without === undefined || without in VARIANTS) await proveRules(report, args);
    if (without === undefined || without in ID_VARIANTS) await proveIds(report, args);
  },
});

async function proveIds(report: Report, { isShort, without }: Arguments): Promise<void> {
  const folder = join(REPO_ROOT, '.dev/proofs/permissions');
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'service.json');
  writeFileSync(file, JSON.stringify(TAKEOVER_DEFINITION));
  const env = { APPWRITE_CONFIG_FILE: file, BLOBS_DIR: join(folder, 'blobs') };
  await using servers = await startServers({ name: 'permissions', settings: { fsync: 'off' }, roles: ['api'], env });
  const rounds = isShort ? 3 : 20;
  if (without === undefined) {
    await attemptTakeovers(servers, rounds, (kind, holds, detail) => report.check(kind, holds, detail));
    return;
  }
  const { changes, shows } = ID_VARIANTS[without]!;
  await servers.restart(sabotagedServer(changes));
  const failed: string[] = [];
  await attemptTakeovers(servers, 1, (kind, holds, detail) => {
    if (!holds) failed.push(`${kind}: ${detail()}`);
  });
  const seen = failed.find((each) => each.startsWith(shows));
  report.say(`without ${without}: ${seen ?? 'not noticed'}`);
  report.check('a server without the safeguard is noticed', seen !== undefined, () => without);
}

async function proveRules(report: Report, { isShort, without, seed }: Arguments): Promise<void> {
  const random = createRandom(seed);
  report.figure('seed', String(seed));
  const containers = Array.from({ length: CONTAINERS }, () => randomContainer(random));
  await using engines = await startEngines({ name: 'permissions', settings: { fsync: 'off' }, natsNodes: 0 });
  const config = readConfig({ ...engines.env, LOG_LEVEL: 'warn' });
  const collections = containers.map((container, n) => containerOf(`c${n}`, container));
  const service = { ...readAppwriteDefinition(undefined), databases: [{ id: 'main', collections }] };
  await using opened = await openContext(config, readSecrets(engines.env), { bus: silentBus, appwrite: service });
  const { ctx } = opened;
  await ctx.placement.reload();

  const documentPermissions: Map<string, string[]>[] = [];
  for (const n of containers.keys()) {
    const own = new Map(
      Array.from({ length: DOCUMENTS }, (_, index) => [`d${index}`, randomDocumentPermissions(random)]),
    );
    for (const [id, permissions] of own) await insertDocument(ctx, n, id, permissions);
    documentPermissions.push(own);
  }

  const leaveOut = without === undefined ? (serverInputs: ServerInputs) => serverInputs : VARIANTS[without]!;
  let differences = 0;
  const cases = isShort ? 4_000 : 20_000;
  for (let n = 0; n < cases; n += 1) {
    const at = random(CONTAINERS);
    const [container, own, subject] = [containers[at]!, documentPermissions[at]!, randomSubject(random)];
    const serverInputs = leaveOut({ collection: requireCollection(ctx, 'main', `c${at}`), caller: callerOf(subject) });
    const { kind, isSame, detail } = await compare(ctx, {
      at,
      container,
      own,
      subject,
      serverInputs,
      turn: random(20),
      id: `d${random(DOCUMENTS)}`,
    });
    if (without === undefined) report.check(kind, isSame, () => detail);
    else if (!isSame) differences += 1;
  }
  if (without !== undefined) report.check('a server without the safeguard is noticed', differences > 0, () => without);
  report.figure('differences', differences);
}

// Who may read, list, create, change and delete a document is decided as a plain reading of the rules decides it.
// With --without NAME one rule is left out, and the claim is that this proof notices.
import { readConfig } from '../../apps/server/src/config.ts';
import { requireCollection } from '../../apps/server/src/features/documents/service.ts';
import { openContext } from '../../apps/server/src/open-context.ts';
import { readSecrets } from '../../apps/server/src/secrets.ts';
import { readServiceDefinition } from '../../apps/server/src/service-definition.ts';
import { startEngines } from './lib/engines.ts';
import { runProof } from './lib/run-proof.ts';
import { silentBus } from './lib/silent-bus.ts';
import { compare, put } from './permissions/ask.ts';
import type { Given } from './permissions/ask.ts';
import { callerOf, containerOf, createRandom, somebody, someShelf, someThing } from './permissions/world.ts';

const SHELVES = 60;
const THINGS = 8;

/** What the server would do without one of its rules. */
const VARIANTS: Record<string, (given: Given) => Given> = {
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
  claim: 'documents are given to whom the rules give them, in 20,000 random cases',
  variants: Object.keys(VARIANTS),
  async run(report, { isShort, without, seed }) {
    const random = createRandom(seed);
    report.figure('seed', String(seed));
    const shelves = Array.from({ length: SHELVES }, () => someShelf(random));
    await using engines = await startEngines({ name: 'permissions', settings: { fsync: 'off' }, natsNodes: 0 });
    const config = readConfig({ ...engines.env, LOG_LEVEL: 'warn' });
    const collections = shelves.map((shelf, n) => containerOf(`c${n}`, shelf));
    const service = { ...readServiceDefinition(undefined), databases: [{ id: 'main', collections }] };
    await using opened = await openContext(config, readSecrets(engines.env), { bus: silentBus, service });
    const { ctx } = opened;
    await ctx.placement.reload();

    const things: Map<string, string[]>[] = [];
    for (const n of shelves.keys()) {
      const own = new Map(Array.from({ length: THINGS }, (_, index) => [`d${index}`, someThing(random)]));
      for (const [id, permissions] of own) await put(ctx, n, id, permissions);
      things.push(own);
    }

    const leaveOut = without === undefined ? (given: Given) => given : VARIANTS[without]!;
    let differences = 0;
    const cases = isShort ? 4_000 : 20_000;
    for (let n = 0; n < cases; n += 1) {
      const at = random(SHELVES);
      const [shelf, own, who] = [shelves[at]!, things[at]!, somebody(random)];
      const given = leaveOut({ collection: requireCollection(ctx, 'main', `c${at}`), caller: callerOf(who) });
      const { kind, isSame, detail } = await compare(ctx, {
        at,
        shelf,
        own,
        who,
        given,
        turn: random(20),
        id: `d${random(THINGS)}`,
      });
      if (without === undefined) report.check(kind, isSame, () => detail);
      else if (!isSame) differences += 1;
    }
    if (without !== undefined) report.check('what was left out is noticed', differences > 0, () => without);
    report.figure('differences', differences);
  },
});

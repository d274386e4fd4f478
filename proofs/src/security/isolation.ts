// Every route and every frame of the contract refuses all callers except the rightful one.
// With --without NAME one check is left out of the server, and the claim is that this proof notices.
import type { Servers } from '../harness/lib/servers.ts';
import { startServers } from '../harness/lib/servers.ts';
import type { Report } from '../harness/lib/report.ts';
import { runProof } from '../harness/lib/run-proof.ts';
import { SPECIAL_ENDPOINTS } from './isolation/bodies.ts';
import { CASES } from './isolation/cases.ts';
import { checkOthers, checkRefusals, checkAuthorized } from './isolation/check-endpoints.ts';
import { checkFrames, checkHandshakes } from './isolation/check-frames.ts';
import { checkLimits } from './isolation/check-limits.ts';
import { checkService } from './isolation/check-service.ts';
import { checkServiceSocket } from './isolation/check-service-socket.ts';
import type { Checks } from './isolation/checks.ts';
import { listEndpoints, listFrames } from './isolation/contract.ts';
import type { NamedEndpoint, NamedFrame } from './isolation/contract.ts';
import { listRoutes } from './isolation/routes.ts';
import { createFixture } from './isolation/fixture.ts';
import { VARIANT_NAMES, VARIANTS } from './isolation/variants.ts';
import { sabotagedServer } from '../harness/sabotage/server.ts';

const SETTINGS = { fsync: 'off' };
/** Endpoints that are enough for the variants in the short form. */
const SAMPLE = ['getSession', 'revokeSessions', 'verifyUser', 'deleteUser', 'sendMessage', 'getSignUp'];

/**
 * Addresses to which a browser navigates by itself: the return from another site, which has a cookie of its own, and
 * pictures, which have a token in the URL (`apps/server/test/profile.test.ts`).
 */
const VISITS = ['GET /api/auth/google/return', 'GET /api/profile/picture'];

await runProof({
  name: 'isolation',
  claim: 'every route and frame of the contract is refused to every caller but its rightful one',
  variants: VARIANT_NAMES,
  async run(report, { isShort, isIntact, without }) {
    await using servers = await startServers({
      name: 'isolation',
      settings: SETTINGS,
      roles: ['api', 'api', 'gateway'],
    });
    const endpoints = await listServed(servers, report);
    if (without === undefined) await proveIntact(servers, report, endpoints, isShort);
    if (isIntact) return;
    const noticing = isShort ? endpoints.filter(({ name }) => SAMPLE.includes(name)) : endpoints;
    for (const name of without === undefined ? VARIANT_NAMES : [without]) {
      await proveDetected(servers, report, noticing, name);
    }
  },
});

async function proveIntact(
  servers: Servers,
  report: Report,
  endpoints: NamedEndpoint[],
  isShort: boolean,
): Promise<void> {
  const checks = await checkAll(servers, { endpoints, frames: listFrames(), isShort });
  await checkLimits(servers.processes[0]!, checks, endpoints);
  checks.tell(report);
  await checkService(report, servers.ctx, servers.processes[0]!.url);
  await checkServiceSocket(report, servers.ctx, servers.processes[2]!.url);
  const rows = [
    ...endpoints.map(({ name, endpoint }) => ({ name, note: endpoint.auth })),
    { name: '/realtime', note: 'session' },
    ...listFrames().map(({ name }) => ({ name: `frame ${name}`, note: 'session' })),
  ];
  const columns = [...CASES.map(({ name }) => name), 'no origin', 'as Mallory', 'rightful', 'limit'];
  report.say(checks.formatTable(rows, columns));
  report.figure('endpoints', endpoints.length);
  report.figure('frames', listFrames().length);
}

async function proveDetected(
  servers: Servers,
  report: Report,
  endpoints: NamedEndpoint[],
  name: string,
): Promise<void> {
  const { what, changes, shows } = VARIANTS[name]!;
  await servers.restart(sabotagedServer(changes));
  const { failed } = await checkAll(servers, { endpoints, frames: [], isShort: true });
  const seen = shows.flatMap((kind) => failed.get(kind) ?? []);
  report.say(`without ${name} (${what}): ${seen[0] ?? 'not noticed'}`);
  report.check('a server without the safeguard is noticed', seen.length > 0, () => name);
}

/** Checks that the server serves exactly the endpoints of the contract. */
async function listServed({ ctx }: Servers, report: Report): Promise<NamedEndpoint[]> {
  const endpoints = await listEndpoints();
  const served = (await listRoutes(ctx)).map(({ method, path }) => `${method} ${path}`);
  const promised = endpoints.map(routeOf);
  const missing = promised.filter((route) => !served.includes(route));
  report.check('the contract is served', missing.length === 0, () => missing.join(', '));
  const unknown = [...SPECIAL_ENDPOINTS, ...SAMPLE].filter((name) => !endpoints.some((named) => named.name === name));
  report.check('an endpoint that the proof names is in the contract', unknown.length === 0, () => unknown.join(', '));
  for (const route of served) {
    const isKnown = promised.includes(route) || VISITS.includes(route);
    report.check('every served route is in the contract', isKnown, () => route);
  }
  return endpoints.filter((named) => served.includes(routeOf(named)));
}

function routeOf({ endpoint }: NamedEndpoint): string {
  return `${endpoint.method} ${endpoint.path}`;
}

interface CheckScope {
  endpoints: NamedEndpoint[];
  frames: NamedFrame[];
  isShort: boolean;
}

async function checkAll(servers: Servers, { endpoints, frames, isShort }: CheckScope): Promise<Checks> {
  await using fixture = await createFixture(servers, isShort);
  await checkAuthorized(fixture, endpoints);
  await checkRefusals(fixture, endpoints);
  await checkOthers(fixture, endpoints);
  await checkHandshakes(fixture);
  await checkFrames(fixture, frames);
  return fixture.checks;
}

// After every journey of an account no secret of its owner is in a database, in NATS, in a log or in a URL.
// With --without NAME the server stores or reveals too much, and the claim is that the same search finds it.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort, startOpenId } from '@dostar/tools/servers';
import { REPO_ROOT } from '../harness/lib/engines.ts';
import type { Engines } from '../harness/lib/engines.ts';
import type { Report } from '../harness/lib/report.ts';
import { runProof } from '../harness/lib/run-proof.ts';
import { startServers } from '../harness/lib/servers.ts';
import type { Servers } from '../harness/lib/servers.ts';
import { formatTable } from '../harness/lib/table.ts';
import { startInbox } from '../harness/accounts/inbox.ts';
import type { Inbox } from '../harness/accounts/inbox.ts';
import { sabotagedServer } from '../harness/sabotage/server.ts';
import { dumpDatabases, eavesdrop, readLogs, readStreams } from './secrets/evidence.ts';
import type { Eavesdropper } from './secrets/evidence.ts';
import { throughGoogle } from './secrets/journeys/google.ts';
import { byPasskey } from './secrets/journeys/passkey.ts';
import { passwordChange } from './secrets/journeys/password-change.ts';
import { recoverByEmail } from './secrets/journeys/recovery.ts';
import { secondFactor } from './secrets/journeys/second-factor.ts';
import { signIn } from './secrets/journeys/sign-in.ts';
import { signUp } from './secrets/journeys/sign-up.ts';
import { PlantedSecrets, EVIDENCE_SOURCES } from './secrets/planted-secrets.ts';
import type { Leak, EvidenceSource } from './secrets/planted-secrets.ts';
import type { Journey } from './secrets/fixture.ts';
import { VARIANT_NAMES, VARIANTS } from './secrets/variants.ts';

const NAME = 'secrets';
const SETTINGS = { fsync: 'off' };
const JOURNEYS: Journey[] = [signUp, signIn, passwordChange, secondFactor, recoverByEmail, throughGoogle, byPasskey];

await runProof({
  name: NAME,
  claim: 'no secret of a user is in a database, on the bus, in a log or in a URL',
  variants: VARIANT_NAMES,
  async run(report, { isIntact, without }) {
    await using inbox = await startInbox(NAME);
    const dir = join(REPO_ROOT, '.dev/proofs', NAME);
    await using google = await startOpenId({ dir, port: await freePort() });
    const env = { SMTP_URL: inbox.smtpUrl, LOG_LEVEL: 'trace', ...google.env };
    const roles = ['api', 'api,worker', 'gateway'];
    await using wires = new AsyncDisposableStack();
    let bus: Eavesdropper | undefined;
    const envOf = async ({ nats }: Engines): Promise<Record<string, string>> => {
      bus = wires.use(await eavesdrop(nats[0]!));
      return { NATS_URLS: bus.url };
    };
    await using servers = await startServers({ name: NAME, settings: SETTINGS, roles, env, envOf });
    const deployment = { servers, inbox, bus: bus! };
    if (without === undefined) await proveSecret(deployment, report);
    if (isIntact) return;
    for (const name of without === undefined ? VARIANT_NAMES : [without]) await proveDetected(deployment, report, name);
  },
});

interface Deployment {
  servers: Servers;
  inbox: Inbox;
  bus: Eavesdropper;
}

async function proveSecret(deployment: Deployment, report: Report): Promise<void> {
  const { plantedSecrets, texts, leaks } = await runJourneys(deployment, JOURNEYS);
  for (const kind of plantedSecrets.countKinds().keys()) {
    for (const place of EVIDENCE_SOURCES) {
      const found = leaks.filter((find) => find.kind === kind && find.place === place);
      report.check(`not found: ${kind}`, found.length === 0, () => `in the ${place}: ${found[0]!.around}`);
    }
  }
  const kinds = [...plantedSecrets.countKinds()].map(([kind, count]) => [kind, count]);
  report.say(`planted and looked for\n${formatTable(kinds)}\n`);
  report.figure('secrets planted', plantedSecrets.size);
  for (const place of EVIDENCE_SOURCES) {
    report.figure(`${place}, characters searched`, texts.get(place)!.length);
    report.check('every place had text to search', texts.get(place)!.length > 1_000, () => place);
  }
  // Checks that the search itself works: it must find values that are stored by design.
  report.check('the search finds a value that is stored', texts.get('database')!.includes('@proof.example'));
  report.check('the search finds a value that is stored', texts.get('nats')!.includes('jobs.do.mail'));
  report.check('the search finds a value that is stored', texts.get('log')!.includes('/api/auth/login/start'));
}

async function proveDetected(deployment: Deployment, report: Report, name: string): Promise<void> {
  const { what, changes, shows } = VARIANTS[name]!;
  await deployment.servers.restart(sabotagedServer(changes));
  const { leaks } = await runJourneys(deployment, [signUp]);
  const seen = leaks.find(({ kind, place }) => kind === shows.kind && place === shows.place);
  report.say(`without ${name} (${what}): ${seen ? `${seen.kind} in the ${seen.place}` : 'not noticed'}`);
  report.check('a server without the safeguard is noticed', seen !== undefined, () => name);
}

interface JourneyResults {
  plantedSecrets: PlantedSecrets;
  texts: Map<EvidenceSource, string>;
  leaks: Leak[];
}

async function runJourneys({ servers, inbox, bus }: Deployment, journeys: Journey[]): Promise<JourneyResults> {
  const { engines, env, processes, logFolder } = servers;
  const plantedSecrets = new PlantedSecrets();
  plantedSecrets.plant('secret key', readFileSync(env['SECRET_KEY_FILE']!, 'utf8').trim());
  plantedSecrets.plant('OPAQUE setup', readFileSync(env['OPAQUE_SETUP_FILE']!, 'utf8').trim());
  plantedSecrets.plant('secret of the provider', env['GOOGLE_CLIENT_SECRET']!);
  const dumps: string[] = [];
  const addresses: string[] = [];
  const urls = processes.slice(0, 2).map(({ url }) => url);
  const look = async (): Promise<void> => void dumps.push(await dumpDatabases(engines));
  for (const journey of journeys) {
    await journey.run({ plantedSecrets, inbox, urls, addresses, look });
    await look();
  }
  const texts = new Map<EvidenceSource, string>([
    ['database', dumps.join('\n')],
    ['nats', `${bus.read()}\n${readStreams(NAME)}`],
    ['log', readLogs(NAME, logFolder)],
    ['url', addresses.join('\n')],
  ]);
  const leaks = EVIDENCE_SOURCES.flatMap((place) => plantedSecrets.search(place, texts.get(place)!));
  return { plantedSecrets, texts, leaks };
}

// After every journey of an account no secret of its owner stands in a database, on the bus, in a log or in an address.
// With --without NAME the server keeps or tells too much, and the claim is that the same search finds it.
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
import { startPost } from '../harness/people/post.ts';
import type { Post } from '../harness/people/post.ts';
import { sabotagedServer } from '../harness/sabotage/sabotage.ts';
import { dumpDatabases, eavesdrop, readLogs, readStreams } from './secrets/evidence.ts';
import type { Eavesdropper } from './secrets/evidence.ts';
import { throughGoogle } from './secrets/journeys/google.ts';
import { byPasskey } from './secrets/journeys/passkey.ts';
import { passwordChange } from './secrets/journeys/password-change.ts';
import { recoverByMail } from './secrets/journeys/recovery.ts';
import { secondFactor } from './secrets/journeys/second-factor.ts';
import { signIn } from './secrets/journeys/sign-in.ts';
import { signUp } from './secrets/journeys/sign-up.ts';
import { Ledger, PLACES } from './secrets/ledger.ts';
import type { Find, Place } from './secrets/ledger.ts';
import type { Journey } from './secrets/scene.ts';
import { VARIANT_NAMES, VARIANTS } from './secrets/variants.ts';

const NAME = 'secrets';
const SETTINGS = { fsync: 'off' };
const JOURNEYS: Journey[] = [signUp, signIn, passwordChange, secondFactor, recoverByMail, throughGoogle, byPasskey];

await runProof({
  name: NAME,
  claim: 'no secret of a person stands in a database, on the bus, in a log or in an address',
  variants: VARIANT_NAMES,
  async run(report, { isIntact, without }) {
    await using post = await startPost(NAME);
    const dir = join(REPO_ROOT, '.dev/proofs', NAME);
    await using google = await startOpenId({ dir, port: await freePort() });
    const env = { SMTP_URL: post.smtpUrl, LOG_LEVEL: 'trace', ...google.env };
    const roles = ['api', 'api,worker', 'gateway'];
    await using wires = new AsyncDisposableStack();
    let bus: Eavesdropper | undefined;
    const envOf = async ({ nats }: Engines): Promise<Record<string, string>> => {
      bus = wires.use(await eavesdrop(nats[0]!));
      return { NATS_URLS: bus.url };
    };
    await using servers = await startServers({ name: NAME, settings: SETTINGS, roles, env, envOf });
    const town = { servers, post, bus: bus! };
    if (without === undefined) await proveSecret(town, report);
    if (isIntact) return;
    for (const name of without === undefined ? VARIANT_NAMES : [without]) await proveNoticed(town, report, name);
  },
});

interface Town {
  servers: Servers;
  post: Post;
  bus: Eavesdropper;
}

async function proveSecret(town: Town, report: Report): Promise<void> {
  const { ledger, texts, finds } = await travel(town, JOURNEYS);
  for (const kind of ledger.countKinds().keys()) {
    for (const place of PLACES) {
      const found = finds.filter((find) => find.kind === kind && find.place === place);
      report.check(`not found: ${kind}`, found.length === 0, () => `in the ${place}: ${found[0]!.around}`);
    }
  }
  const kinds = [...ledger.countKinds()].map(([kind, count]) => [kind, count]);
  report.say(`planted and looked for\n${formatTable(kinds)}\n`);
  report.figure('secrets planted', ledger.size);
  for (const place of PLACES) {
    report.figure(`${place}, characters searched`, texts.get(place)!.length);
    report.check('there was something to search', texts.get(place)!.length > 1_000, () => place);
  }
  // What has to be there is found by the same search: it is not blind.
  report.check('the search sees what is there', texts.get('database')!.includes('@proof.example'));
  report.check('the search sees what is there', texts.get('nats')!.includes('jobs.do.mail'));
  report.check('the search sees what is there', texts.get('log')!.includes('/api/auth/login/start'));
}

async function proveNoticed(town: Town, report: Report, name: string): Promise<void> {
  const { what, changes, shows } = VARIANTS[name]!;
  await town.servers.restart(sabotagedServer(changes));
  const { finds } = await travel(town, [signUp]);
  const seen = finds.find(({ kind, place }) => kind === shows.kind && place === shows.place);
  report.say(`without ${name} (${what}): ${seen ? `${seen.kind} in the ${seen.place}` : 'not noticed'}`);
  report.check('a server that keeps or tells too much is noticed', seen !== undefined, () => name);
}

interface Travelled {
  ledger: Ledger;
  texts: Map<Place, string>;
  finds: Find[];
}

async function travel({ servers, post, bus }: Town, journeys: Journey[]): Promise<Travelled> {
  const { engines, env, processes, logFolder } = servers;
  const ledger = new Ledger();
  ledger.plant('secret key', readFileSync(env['SECRET_KEY_FILE']!, 'utf8').trim());
  ledger.plant('OPAQUE setup', readFileSync(env['OPAQUE_SETUP_FILE']!, 'utf8').trim());
  ledger.plant('secret of the provider', env['GOOGLE_CLIENT_SECRET']!);
  const dumps: string[] = [];
  const addresses: string[] = [];
  const urls = processes.slice(0, 2).map(({ url }) => url);
  const look = async (): Promise<void> => void dumps.push(await dumpDatabases(engines));
  for (const journey of journeys) {
    await journey.run({ ledger, post, urls, addresses, look });
    await look();
  }
  const texts = new Map<Place, string>([
    ['database', dumps.join('\n')],
    ['nats', `${bus.read()}\n${readStreams(NAME)}`],
    ['log', readLogs(NAME, logFolder)],
    ['url', addresses.join('\n')],
  ]);
  const finds = PLACES.flatMap((place) => ledger.search(place, texts.get(place)!));
  return { ledger, texts, finds };
}

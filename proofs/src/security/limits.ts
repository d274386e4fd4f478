// Guessing, probing, flooding and sweeping end at the limits of docs/operate/limits.md; other users can still sign in.
// With --without shared-counters each process counts for itself, and the claim is that this proof notices.
import { Browser, randomAddress } from '@dostar/client/testing/http-browser';
import type { Report } from '../harness/lib/report.ts';
import { runProof } from '../harness/lib/run-proof.ts';
import { startServers } from '../harness/lib/servers.ts';
import { formatTable } from '../harness/lib/table.ts';
import { ATTACKS, makePerson, signIn } from './limits/attacks.ts';
import type { Attack, Fixture } from './limits/attacks.ts';
import { documentedLimit } from './limits/documented.ts';
import { lightOpaque } from '../harness/accounts/light-opaque.ts';
import { startInbox } from '../harness/accounts/inbox.ts';
import { sabotagedServer } from '../harness/sabotage/server.ts';

const SETTINGS = { fsync: 'off' };
const WITHOUT_SHARED_COUNTERS = [
  {
    file: 'platform/concurrency/rate-limits.ts',
    phrase: "if (limit.scope === 'process') return",
    replacement: 'if (limit.points > 0) return',
  },
];
/** Attacks in which counters that are not shared show most clearly. */
const NOTICING = ['login-account', 'wrong-token', 'code-tries'];

await runProof({
  name: 'limits',
  claim:
    'guessing, probing, flooding and sweeping end at their documented limits over two processes, and other users can still sign in',
  variants: ['shared-counters'],
  async run(report, { without }) {
    await using inbox = await startInbox('limits');
    const env = { SMTP_URL: inbox.smtpUrl };
    await using servers = await startServers({
      name: 'limits',
      settings: SETTINGS,
      roles: ['api', 'api', 'worker'],
      env,
    });
    const fixture = { urls: servers.processes.slice(0, 2).map(({ url }) => url), inbox };
    if (without === undefined) await proveStopped(report, fixture);
    await servers.restart(sabotagedServer(WITHOUT_SHARED_COUNTERS));
    await proveDetected(report, fixture);
  },
});

async function proveStopped(report: Report, fixture: Fixture): Promise<void> {
  const rows: (string | number)[][] = [['attack', 'limit', 'promised', 'heard']];
  for (const attack of ATTACKS) {
    const address = randomAddress();
    const neighbour = await makeNeighbour(fixture, address);
    const [promised, accepted] = [documentedLimit(attack.limit), await attack.run(fixture, address)];
    rows.push([attack.name, attack.limit, promised, accepted]);
    report.check(
      'attacks are stopped at the documented limit',
      accepted === promised,
      () => `${attack.name}: heard ${accepted} times, not ${promised}`,
    );
    await checkNeighbours(report, fixture, attack, neighbour);
  }
  report.say(formatTable(rows));
}

type Neighbour = Awaited<ReturnType<typeof makePerson>>;

/** A user of the same network with a known browser. */
async function makeNeighbour(fixture: Fixture, address: string): Promise<Neighbour> {
  const neighbour = await makePerson(fixture);
  const failure = await signIn(neighbour, neighbour.email);
  neighbour.address = address;
  if (failure !== undefined) throw new Error(`the neighbour does not get in before anything happens: ${failure}`);
  return neighbour;
}

async function checkNeighbours(report: Report, { urls }: Fixture, attack: Attack, neighbour: Neighbour): Promise<void> {
  const again = await signIn(neighbour, neighbour.email);
  report.check('a user in the same network can sign in', again === undefined, () => `${attack.name}: ${again}`);
  if (attack.affectsNewAccounts) return;
  const { address, email } = neighbour;
  const first = await signIn(new Browser({ urls, address, opaque: lightOpaque }), email);
  report.check('a user new to the network can sign in', first === undefined, () => `${attack.name}: ${first}`);
}

async function proveDetected(report: Report, fixture: Fixture): Promise<void> {
  for (const attack of ATTACKS.filter(({ limit }) => NOTICING.includes(limit))) {
    const [promised, accepted] = [documentedLimit(attack.limit), await attack.run(fixture, randomAddress())];
    report.say(`without shared counters: ${attack.name} is heard ${accepted} times instead of ${promised}`);
    report.check('without shared counters, the attack gets further', accepted > promised, () => attack.name);
  }
}

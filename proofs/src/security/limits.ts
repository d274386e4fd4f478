// Guessing, probing, flooding and sweeping end where docs/operations.md says, over two processes, and neighbours get in.
// With --without shared-counters each process counts for itself, and the claim is that this proof notices.
import { Browser, randomAddress } from '@dostar/client/testing/http-browser';
import type { Report } from '../harness/lib/report.ts';
import { runProof } from '../harness/lib/run-proof.ts';
import { startServers } from '../harness/lib/servers.ts';
import { formatTable } from '../harness/lib/table.ts';
import { ATTACKS, makePerson, signIn } from './limits/attacks.ts';
import type { Attack, Scene } from './limits/attacks.ts';
import { documentedLimit } from './limits/documented.ts';
import { lightOpaque } from '../harness/people/light-opaque.ts';
import { startPost } from '../harness/people/post.ts';
import { sabotagedServer } from '../harness/sabotage/sabotage.ts';

const SETTINGS = { fsync: 'off' };
const WITHOUT_SHARED_COUNTERS = [
  {
    file: 'platform/concurrency/rate-limits.ts',
    phrase: "if (limit.scope === 'process') return",
    replacement: 'if (limit.points > 0) return',
  },
];
/** Those that a second count shows most plainly. */
const NOTICING = ['login-account', 'wrong-token', 'code-tries'];

await runProof({
  name: 'limits',
  claim:
    'guessing, probing, flooding and sweeping end at their documented limits over two processes, and neighbours get in',
  variants: ['shared-counters'],
  async run(report, { without }) {
    await using post = await startPost('limits');
    const env = { SMTP_URL: post.smtpUrl };
    await using servers = await startServers({
      name: 'limits',
      settings: SETTINGS,
      roles: ['api', 'api', 'worker'],
      env,
    });
    const scene = { urls: servers.processes.slice(0, 2).map(({ url }) => url), post };
    if (without === undefined) await proveStopped(report, scene);
    await servers.restart(sabotagedServer(WITHOUT_SHARED_COUNTERS));
    await proveNoticed(report, scene);
  },
});

async function proveStopped(report: Report, scene: Scene): Promise<void> {
  const rows: (string | number)[][] = [['attack', 'limit', 'promised', 'heard']];
  for (const attack of ATTACKS) {
    const address = randomAddress();
    const neighbour = await makeNeighbour(scene, address);
    const [promised, heard] = [documentedLimit(attack.limit), await attack.run(scene, address)];
    rows.push([attack.name, attack.limit, promised, heard]);
    report.check(
      'stopped where it is promised',
      heard === promised,
      () => `${attack.name}: heard ${heard} times, not ${promised}`,
    );
    await checkNeighbours(report, scene, attack, neighbour);
  }
  report.say(formatTable(rows));
}

type Neighbour = Awaited<ReturnType<typeof makePerson>>;

/** Somebody who comes into the same network with a browser that has signed in before. */
async function makeNeighbour(scene: Scene, address: string): Promise<Neighbour> {
  const neighbour = await makePerson(scene);
  const failure = await signIn(neighbour, neighbour.email);
  neighbour.address = address;
  if (failure !== undefined) throw new Error(`the neighbour does not get in before anything happens: ${failure}`);
  return neighbour;
}

async function checkNeighbours(report: Report, { urls }: Scene, attack: Attack, neighbour: Neighbour): Promise<void> {
  const again = await signIn(neighbour, neighbour.email);
  report.check('a neighbour in the same network gets in', again === undefined, () => `${attack.name}: ${again}`);
  if (attack.isFeltByNewcomers) return;
  const { address, email } = neighbour;
  const first = await signIn(new Browser({ urls, address, opaque: lightOpaque }), email);
  report.check('so does one who has never signed in there', first === undefined, () => `${attack.name}: ${first}`);
}

async function proveNoticed(report: Report, scene: Scene): Promise<void> {
  for (const attack of ATTACKS.filter(({ limit }) => NOTICING.includes(limit))) {
    const [promised, heard] = [documentedLimit(attack.limit), await attack.run(scene, randomAddress())];
    report.say(`without shared counters: ${attack.name} is heard ${heard} times instead of ${promised}`);
    report.check('counters that are not shared are noticed', heard > promised, () => attack.name);
  }
}

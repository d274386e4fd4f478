// After a long chat with files no text and no key is in a database, in NATS, on a disk, in a log or in a push.
// With --without sealing the clients encrypt nothing, and the claim is that the same search finds it.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { directChat } from '@dostar/protocol/ids';
import { plantClientSecrets, plantFileKeys } from './blind/client-secrets.ts';
import { plantCanaries } from './blind/canaries.ts';
import { type Pushes, startPushes } from './blind/pushes.ts';
import { openSealed, runConversation, type ConversationPlan, waitUntilSynced } from './blind/conversation.ts';
import { type Engines, REPO_ROOT } from '../harness/lib/engines.ts';
import type { Report } from '../harness/lib/report.ts';
import { runProof } from '../harness/lib/run-proof.ts';
import { startServers, type Servers } from '../harness/lib/servers.ts';
import { formatTable } from '../harness/lib/table.ts';
import { raisePriority } from '../harness/load/priority.ts';
import { ownerOf } from '../harness/accounts/passwords.ts';
import { openCluster } from '../harness/accounts/cluster.ts';
import { startInbox, type Inbox } from '../harness/accounts/inbox.ts';
import { dumpDatabases, type Eavesdropper, eavesdrop, readFolder, readLogs, readStreams } from './secrets/evidence.ts';
import { type Leak, PlantedSecrets, type EvidenceSource } from './secrets/planted-secrets.ts';
import { signUpUser } from './secrets/fixture.ts';

const NAME = 'blind';
const BLOBS = join(REPO_ROOT, '.dev/proofs', NAME, 'blobs');
const EVIDENCE_SOURCES: EvidenceSource[] = ['database', 'nats', 'log', 'url', 'blobs', 'push'];
const LONG: ConversationPlan = { pairs: 10, messages: 100, files: 2, isClear: false };
const SHORT: ConversationPlan = { pairs: 1, messages: 60, files: 3, isClear: false };
const CLEAR: ConversationPlan = { pairs: 1, messages: 5, files: 1, isClear: true };

await runProof({
  name: NAME,
  claim: 'the server stores, passes on and logs no text and no key of a chat',
  variants: ['sealing'],
  async run(report, { isShort, isIntact, without }) {
    using _ = raisePriority();
    rmSync(BLOBS, { recursive: true, force: true });
    await using inbox = await startInbox(NAME);
    await using wires = new AsyncDisposableStack();
    let bus: Eavesdropper | undefined;
    const envOf = async ({ nats }: Engines): Promise<Record<string, string>> => {
      bus = wires.use(await eavesdrop(nats[0]!));
      return { NATS_URLS: bus.url };
    };
    await using pushes = await startPushes(NAME);
    const env = { ...pushes.env, SMTP_URL: inbox.smtpUrl, LOG_LEVEL: 'trace', BLOBS_DIR: BLOBS };
    const roles = ['api,gateway', 'api,gateway,worker'];
    await using servers = await startServers({ name: NAME, settings: { fsync: 'off' }, roles, env, envOf });
    const deployment = { servers, inbox, pushes, bus: bus! };
    if (without === undefined) await proveBlind(report, deployment, isShort ? SHORT : LONG);
    if (isIntact) return;
    const { leaks } = await look(deployment, CLEAR);
    const seen = leaks.some(({ kind, place }) => kind === 'canary: text' && place === 'database');
    report.say(`without encryption: ${seen ? 'the words are found in the database' : 'not noticed'}`);
    report.check('a client that encrypts nothing is noticed', seen);
  },
});

interface Deployment {
  servers: Servers;
  inbox: Inbox;
  pushes: Pushes;
  bus: Eavesdropper;
}

async function proveBlind(report: Report, deployment: Deployment, plan: ConversationPlan): Promise<void> {
  const { plantedSecrets, texts, leaks, files } = await look(deployment, plan);
  const kinds = [...plantedSecrets.countKinds()];
  for (const [kind] of kinds) {
    for (const place of EVIDENCE_SOURCES) {
      const found = leaks.find((find) => find.kind === kind && find.place === place);
      report.check(`not found: ${kind}`, found === undefined, () => `in the ${place}: ${found!.around}`);
    }
  }
  report.say(`planted and looked for\n${formatTable(kinds)}\n`);
  report.figure('messages', plan.pairs * plan.messages);
  report.figure('files', files);
  report.figure('secrets planted', plantedSecrets.size);
  for (const place of EVIDENCE_SOURCES) report.figure(`${place}, characters searched`, texts.get(place)!.length);
  report.check('the stored files have the expected size', texts.get('blobs')!.length >= files * 200_000);
  report.check('the search finds a value that is stored', texts.get('database')!.includes('@proof.example'));
  report.check('the search finds a value that is stored', texts.get('log')!.includes('/api/messages/send'));
  report.check('the search finds a value that is stored', texts.get('nats')!.length > 10_000);
  report.check('the search finds a value that is stored', texts.get('push')!.includes('"kind":"message"'));
}

interface Looked {
  plantedSecrets: PlantedSecrets;
  texts: Map<EvidenceSource, string>;
  leaks: Leak[];
  files: number;
}

async function look({ servers, inbox, pushes, bus }: Deployment, plan: ConversationPlan): Promise<Looked> {
  const plantedSecrets = new PlantedSecrets();
  const cluster = openCluster(servers.ctx, servers.processes);
  const urls = servers.processes.map(({ url }) => url);
  const addresses: string[] = [];
  const fixture = { plantedSecrets, inbox, urls, addresses, look: async () => {} };
  const canaries = plantCanaries(plantedSecrets);
  let files = 0;
  for (let pair = 0; pair < plan.pairs; pair += 1) {
    const [alice, bob] = [
      await signUpUser(fixture, `alice chose ${pair} words`),
      await signUpUser(fixture, `bob ${pair} more`),
    ];
    const [her, him] = [await ownerOf(alice.browser), await ownerOf(bob.browser)];
    await cluster.befriend(her.person, him.person);
    const names = [her.person.account, him.person.account, directChat(her.person.account, him.person.account)];
    for (const { browser } of [alice, bob]) await pushes.add(plantedSecrets, browser, names);
    const { hers, his, chat } = await runConversation(cluster, her, him, canaries, plan);
    if (!plan.isClear) {
      files += await plantFileKeys(plantedSecrets, his, chat);
      await plantClientSecrets(plantedSecrets, her, alice.browser);
      await plantClientSecrets(plantedSecrets, him, bob.browser);
      // Signs in one more browser of hers, which reads all her data.
      const more = await openSealed(cluster, { ...her, person: await cluster.addDevice(her.person) }, false);
      await waitUntilSynced(more, chat, canaries);
      await more.client[Symbol.asyncDispose]();
    }
    for (const { client } of [hers, his]) await client[Symbol.asyncDispose]();
  }
  const texts = new Map<EvidenceSource, string>([
    ['database', await dumpDatabases(servers.engines)],
    ['nats', `${bus.read()}\n${readStreams(NAME)}`],
    ['log', readLogs(NAME, servers.logFolder)],
    ['url', addresses.join('\n')],
    ['blobs', readFolder(BLOBS)],
    ['push', await pushes.read()],
  ]);
  const leaks = EVIDENCE_SOURCES.flatMap((where) => plantedSecrets.search(where, texts.get(where)!));
  return { plantedSecrets, texts, leaks, files };
}

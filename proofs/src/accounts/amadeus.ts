// Amadeus greets new users, answers held-out questions with the right tutorial, and survives kill -9 in between.
// The questions (amadeus/questions.ts) were written before and apart from the retrieval, and tune nothing.
import { answerId } from '@dostar/amadeus/message-ids';
import { composeGreeting, composeReply } from '@dostar/amadeus/reply';
import type { Message } from '@dostar/client';
import type { AccountId, MessageId } from '@dostar/protocol/ids';
import { type Asker, textOf, welcome } from './amadeus/asker.ts';
import { questions, unanswerable } from './amadeus/questions.ts';
import { type AssistantPool, startAssistantPool } from './amadeus/assistant-pool.ts';
import type { Report } from '../harness/lib/report.ts';
import { runProof } from '../harness/lib/run-proof.ts';
import { ORIGIN, startServers, type Servers } from '../harness/lib/servers.ts';
import { lightOpaque } from '../harness/accounts/light-opaque.ts';
import { openCluster } from '../harness/accounts/cluster.ts';
import { startInbox } from '../harness/accounts/inbox.ts';

const SETTINGS = { fsync: 'off' };
const LOCALES = ['en', 'kz', 'ru'] as const;
const GOAL = 54;
/** How many questions of each language the short form asks in the chat; the score always covers all questions. */
const SHORT_TALK = 4;

interface Asked {
  asker: Asker;
  text: string;
  id: MessageId;
}

await runProof({
  name: 'amadeus',
  claim: 'Amadeus greets a new user in their language and answers each question once, despite kill -9',
  async run(report, { isShort }) {
    score(report);
    await using inbox = await startInbox('amadeus');
    const env = { SMTP_URL: inbox.smtpUrl };
    await using servers = await startServers({
      name: 'amadeus',
      settings: SETTINGS,
      roles: ['api,gateway,worker'],
      env,
    });
    await using pool = await startAssistantPool(servers, isShort ? 1 : 2);
    const cluster = openCluster(servers.ctx, servers.processes);
    const authEnvironment = { urls: servers.processes.map(({ url }) => url), inbox, opaque: lightOpaque };
    await using stack = new AsyncDisposableStack();
    const askers: Asker[] = [];
    for (const locale of LOCALES) askers.push(stack.use(await welcome(authEnvironment, cluster, locale)));
    for (const asker of askers) await expectGreeting(report, asker);
    const devices = await listDevices(servers, askers);
    await talk(report, pool, askers, isShort);
    report.check('the device is the same after kill -9', devices === (await listDevices(servers, askers)));
    for (const asker of askers) await expectSameAssistant(report, asker);
  },
});

/** Scores the retrieval without a network. Failed questions are not printed, so that no one tunes to them. */
function score(report: Report): void {
  for (const locale of LOCALES) {
    const own = questions.filter(({ language }) => language === locale);
    report.figure(`right of ${own.length} in ${locale}`, own.filter(isRight).length);
  }
  const honest = unanswerable.filter((one) => reply(one).kind === 'unknown').length;
  report.figure(`honest of ${unanswerable.length}`, honest);
  const right = questions.filter(isRight).length;
  report.check(
    'questions answered with the right tutorial',
    right >= GOAL,
    () => `${right} of ${questions.length}, goal ${GOAL}`,
  );
  report.check(
    'unanswerable questions are answered with "I do not know"',
    honest === unanswerable.length,
    () => `${honest} of ${unanswerable.length}`,
  );
}

function isRight(one: (typeof questions)[number]): boolean {
  const said = reply(one);
  return said.kind === 'topic' && said.topic === one.topic;
}

function reply({ text, language }: { text: string; language: Asker['locale'] }) {
  return composeReply(text, { locale: language }, { site: ORIGIN });
}

async function expectGreeting(report: Report, { locale, hear }: Asker): Promise<void> {
  const [first] = await hear((said) => said.length > 0);
  report.check(
    'the greeting is in the language of the user',
    first !== undefined && textOf(first) === composeGreeting(locale),
  );
}

/** All users ask concurrently. In the middle each assistant process is killed, and again while it starts. */
async function talk(report: Report, pool: AssistantPool, askers: Asker[], isShort: boolean): Promise<void> {
  const asked: Asked[] = [];
  for (const asker of askers) {
    const texts = [...questions, ...unanswerable].filter(({ language }) => language === asker.locale);
    for (const { text } of isShort ? texts.slice(0, SHORT_TALK) : texts) {
      asked.push({ asker, text, id: await asker.ask(text) });
    }
  }
  const begun = performance.now();
  await askers[0]!.hear((said) => said.length >= 3);
  await killAll(pool);
  if (!isShort) {
    await askers[1]!.hear((said) => said.length >= 12);
    await killAll(pool);
  }
  for (const asker of askers) await expectAnswers(report, asker, asked);
  report.figure('questions asked in the chat', asked.length);
  report.figure('seconds until all were answered, with kills', Math.round((performance.now() - begun) / 100) / 10);
}

async function killAll({ assistants, whenReady }: AssistantPool): Promise<void> {
  for (const assistant of assistants) assistant.signal('SIGKILL');
  for (const assistant of assistants) await assistant.restart();
  await whenReady();
}

async function expectAnswers(report: Report, asker: Asker, all: Asked[]): Promise<void> {
  const own = all.filter((one) => one.asker === asker);
  const expected = new Map(own.map(({ text, id }) => [answerId(asker.account, id), text]));
  // The assistant answers in order: the answer to the last message means that it has processed all earlier ones.
  const last = answerId(asker.account, await asker.ask('0'));
  const said = await asker.hear((messages) => {
    const ids = new Set(messages.map(({ id }) => id));
    return ids.has(last) && [...expected.keys()].every((id) => ids.has(id));
  });
  report.check('no answer is sent twice', said.length === own.length + 2, () => `${said.length} for ${own.length + 2}`);
  for (const [id, text] of expected)
    report.check('each question has its one expected answer', isAnswer(said, id, text, asker));
}

function isAnswer(said: Message[], id: MessageId, question: string, { locale }: Asker): boolean {
  const answers = said.filter((message) => message.id === id);
  return answers.length === 1 && textOf(answers[0]!) === composeReply(question, { locale }, { site: ORIGIN }).text;
}

async function listDevices({ ctx }: Servers, askers: Asker[]): Promise<string> {
  const assistants = [...new Set(askers.map(({ amadeus }) => amadeus.id))].toSorted();
  const devices = assistants.map((assistant: AccountId) =>
    ctx.shards
      .of(assistant)
      .query((db) => db.selectFrom('session').select('device').where('owner', '=', assistant).execute()),
  );
  return JSON.stringify(await Promise.all(devices));
}

/** The username always leads a user to the account that greeted them. */
async function expectSameAssistant(report: Report, { client, amadeus }: Asker): Promise<void> {
  const found = await client.contacts.find('amadeus');
  report.check(
    'the username leads to the same assistant account each time',
    found.id === amadeus.id && found.isAssistant === true,
  );
}

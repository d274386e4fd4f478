// A new browser reads a long history: the chat list in 3 s, any chat in 1 s more, then everything can be searched.
// It unlocks by password, by recovery key, and after a password reset with the old password.
import { createOpaqueClient } from '@dostar/client/opaque';
import { openBrowser, type TestServers } from '@dostar/client/testing/browser';
import { createAccountUnlock, type AccountUnlock } from '@dostar/client/account-unlock';
import { measureBrowser } from './history/measure.ts';
import { type History, type Seeded, seedHistory } from './history/seed.ts';
import type { Report } from '../harness/lib/report.ts';
import { runProof } from '../harness/lib/run-proof.ts';
import { measureSlowness } from '../harness/lib/slowness.ts';
import { startServers, type Servers } from '../harness/lib/servers.ts';
import { median } from '../harness/load/statistics.ts';
import { raisePriority } from '../harness/load/priority.ts';
import type { AccountId } from '@dostar/protocol/ids';
import { type Browser, newEmail } from '@dostar/client/testing/http-browser';
import {
  authOf,
  type AuthEnvironment,
  openSignedOutBrowser,
  ownerOf,
  resetPassword,
} from '../harness/accounts/passwords.ts';
import { openCluster } from '../harness/accounts/cluster.ts';
import { codeIn } from '@dostar/tools/emails';
import { startInbox } from '../harness/accounts/inbox.ts';

const SETTINGS = { fsync: 'off' };
const ROLES = ['api,gateway', 'api,gateway,worker'];
const PASSWORD = 'four words are enough';
const NEXT_PASSWORD = 'five words are quite enough';
const LAST_PASSWORD = 'and six words are enough for all of them';
const LONG: History = { chats: 50, messagesPerChat: 100, sessionsPerChat: 40 };
const SHORT: History = { chats: 50, messagesPerChat: 10, sessionsPerChat: 4 };
/** From the specification, in seconds: until the chat list is readable, and from then until a chat is. */
const GOALS = { list: 3, chat: 1 };
const RUNS = { long: 5, short: 3 };
/** Messages that a screen shows when a chat is opened. */
const NEWEST = 50;

interface HistoryFixture {
  servers: Servers;
  cluster: TestServers;
  authEnvironment: AuthEnvironment;
  email: string;
  browser: Browser;
}

await runProof({
  name: 'history',
  claim: 'a new browser with only a password reads and finds every earlier message',
  async run(report, { isShort }) {
    using _ = raisePriority();
    const plan = isShort ? SHORT : LONG;
    await using inbox = await startInbox('history');
    const env = { SMTP_URL: inbox.smtpUrl };
    await using servers = await startServers({ name: 'history', settings: SETTINGS, roles: ROLES, env });
    const cluster = openCluster(servers.ctx, servers.processes);
    const authEnvironment = { urls: servers.processes.map(({ url }) => url), inbox, opaque: createOpaqueClient() };
    const historyFixture: HistoryFixture = { servers, cluster, authEnvironment, ...(await signUp(authEnvironment)) };
    const seeded = await fill(report, historyFixture, plan);
    const unlocking = createAccountUnlock(authOf(historyFixture.browser));
    const recoveryKey = await unlocking.makeRecoveryKey((await ownerOf(historyFixture.browser)).person.account);

    if (isShort)
      report.say('The short form: seconds count as on a quiet machine. The long form takes them as they are.');
    const fixture = { report, historyFixture, seeded, newest: Math.min(NEWEST, plan.messagesPerChat), isShort };
    await measureSignIn(fixture, 'password', isShort ? RUNS.short : RUNS.long, () =>
      openNewBrowser(historyFixture, PASSWORD),
    );
    await resetPassword(authEnvironment, historyFixture.email, NEXT_PASSWORD);
    await measureSignIn(fixture, 'old password', 1, () =>
      openNewBrowser(historyFixture, NEXT_PASSWORD, (ways, account) => ways.openWithOldPassword(account, PASSWORD)),
    );
    await resetPassword(authEnvironment, historyFixture.email, LAST_PASSWORD);
    await measureSignIn(fixture, 'recovery key', 1, () =>
      openNewBrowser(historyFixture, LAST_PASSWORD, (ways, account) => ways.openWithRecoveryKey(account, recoveryKey)),
    );
  },
});

async function signUp(authEnvironment: AuthEnvironment): Promise<Pick<HistoryFixture, 'email' | 'browser'>> {
  const email = newEmail();
  const browser = openSignedOutBrowser(authEnvironment);
  await browser.auth.beginSignUp({ email, password: PASSWORD, locale: 'en' });
  await browser.auth.confirmSignUp(email, codeIn(await authEnvironment.inbox.waitForEmail(email)));
  return { email, browser };
}

async function fill(report: Report, { servers, cluster, browser }: HistoryFixture, plan: History): Promise<Seeded> {
  const owner = await ownerOf(browser);
  const first = openBrowser(cluster, owner.person, { accountKey: owner.accountKey });
  {
    await using _client = first.start();
    while (!first.events.includes('dehydrated device visited')) await new Promise((resolve) => setTimeout(resolve, 50));
  }
  const friends = [];
  for (let index = 0; index < plan.chats; index += 1) {
    const friend = await cluster.addAccount(index % 2);
    await cluster.befriend(owner.person, friend);
    friends.push(friend.account);
  }
  const begun = performance.now();
  const seeded = await seedHistory({ ctx: servers.ctx, owner, browser, friends }, plan);
  const messages = plan.chats * plan.messagesPerChat;
  const took = ((performance.now() - begun) / 1000).toFixed(1);
  report.say(`${messages} messages in ${plan.chats} chats under ${seeded.sessions} sessions, made in ${took} s`);
  report.figure('messages', messages);
  report.figure('sessions', seeded.sessions);
  return seeded;
}

type Unlock = (ways: AccountUnlock, account: AccountId) => Promise<unknown>;

/** Signs in from a new browser and unlocks the account key. */
async function openNewBrowser(
  { authEnvironment, email }: HistoryFixture,
  password: string,
  unlock?: Unlock,
): Promise<Browser> {
  const browser = openSignedOutBrowser(authEnvironment);
  const { account } = await browser.auth.signIn(email, password);
  await unlock?.(createAccountUnlock(authOf(browser)), account);
  return browser;
}

interface Fixture {
  report: Report;
  historyFixture: HistoryFixture;
  seeded: Seeded;
  newest: number;
  isShort: boolean;
}

async function measureSignIn(
  { report, historyFixture, seeded, newest, isShort }: Fixture,
  method: string,
  runs: number,
  signIn: () => Promise<Browser>,
): Promise<void> {
  const measured = [];
  const slowness: number[] = [];
  for (let run = 0; run < runs; run += 1) {
    slowness.push(await measureSlowness());
    const options = { openNewBrowser: signIn, chat: run * 7, newest, isSearching: run === runs - 1 };
    const one = await measureBrowser(historyFixture.cluster, seeded, options);
    measured.push(one);
    const { signInMs, listMs, chatMs, searchMs } = one;
    const times = formatTimes({ signInMs, listMs, chatMs, ...(searchMs && { searchMs }) });
    report.say(`${method}: ${times}, machine ${slowness.at(-1)!.toFixed(1)} times slower than quiet`);
  }
  const { found, searchMs = 0 } = measured.at(-1)!;
  const everything = seeded.rareWords.length;
  report.check(
    'every rare word is found',
    found === everything,
    () => `${method}: ${found} of ${everything} rare words`,
  );
  const slow = isShort ? median(slowness) : 1;
  const [list, chat] = [median(measured.map(({ listMs }) => listMs)), median(measured.map(({ chatMs }) => chatMs))];
  report.figure(`${method}: sign-in, s`, median(measured.map(({ signInMs }) => signInMs)) / 1000);
  report.figure(`${method}: everything in the index, s`, searchMs / 1000);
  report.figure(`${method}: times slower than quiet`, median(slowness));
  report.ratio(`${method}: chat list readable, s`, list / 1000 / slow, { atMost: GOALS.list });
  report.ratio(`${method}: newest of a chat after that, s`, chat / 1000 / slow, { atMost: GOALS.chat });
}

function formatTimes(times: Record<string, number>): string {
  return Object.entries(times)
    .map(([name, ms]) => `${name.slice(0, -2)} ${(ms / 1000).toFixed(2)} s`)
    .join(', ');
}

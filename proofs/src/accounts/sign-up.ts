// Wherever the server dies during a sign-up, there is a usable account or none, and signing up again works.
// With --without sweeper no process removes incomplete accounts, and the claim is that this proof notices.
import { Client } from 'pg';
import { purgeIncompleteAccounts } from '../../../apps/server/src/features/identity/use-cases/account-jobs.ts';
import { openRowReader } from '../security/isolation/rows.ts';
import type { RowReader } from '../security/isolation/rows.ts';
import type { Report } from '../harness/lib/report.ts';
import { runProof } from '../harness/lib/run-proof.ts';
import { startServers } from '../harness/lib/servers.ts';
import type { Servers } from '../harness/lib/servers.ts';
import { startInbox } from '../harness/accounts/inbox.ts';
import type { Inbox } from '../harness/accounts/inbox.ts';
import { readMoments, startCrashingServer } from './sign-up/crashing-server.ts';
import { Person } from './sign-up/person.ts';

const SETTINGS = { fsync: 'off' };
const POINTS_SHORT = 20;
/** Several sign-ups crash concurrently: each has a process and an address of its own. */
const CONCURRENCY = 3;
const AFTER_THE_QUARTER_HOUR_MS = 16 * 60_000;

await runProof({
  name: 'sign-up',
  claim: 'wherever the server dies during a sign-up, there is a usable account or none, and signing up again works',
  variants: ['sweeper'],
  async run(report, { isShort, without }) {
    await using inbox = await startInbox('sign-up');
    const env = { SMTP_URL: inbox.smtpUrl };
    await using servers = await startServers({ name: 'sign-up', settings: SETTINGS, roles: ['api', 'worker'], env });
    await using rowReader = await openRowReader(servers.engines);
    const fixture = { servers, inbox, rowReader, report };
    const moments = await listMoments(fixture);
    const points =
      isShort || without !== undefined ? spread(moments.length, POINTS_SHORT) : spread(moments.length, moments.length);
    report.figure('moments of a sign-up', moments.length);
    report.figure('kill points', points.length);
    for (const point of points) report.say(`  ${String(point).padStart(3)}  ${moments[point - 1]}`);

    const abandoned = await crashAtEach(fixture, points);
    await checkBeforeSweep(fixture, abandoned);
    if (without === undefined) await sweep(servers);
    const incomplete = await listIncompleteAccounts(fixture, abandoned);
    if (without === 'sweeper') {
      report.check('without the sweeper, incomplete accounts are noticed', incomplete.length > 0);
      return;
    }
    report.check('after the sweeper no incomplete account is left', incomplete.length === 0, () =>
      incomplete.join('; '),
    );
    await checkAgain(fixture, abandoned);
    await checkCarryOn(fixture, isShort ? points.filter((_, index) => index % 4 === 1) : points);
  },
});

interface Fixture {
  servers: Servers;
  inbox: Inbox;
  rowReader: RowReader;
  report: Report;
}

interface AbandonedSignUp {
  point: number;
  person: Person;
  /** Account ids that the directory has for the address, or that the sign-up had. */
  accounts: string[];
}

async function listMoments({ servers, inbox }: Fixture): Promise<string[]> {
  await using living = await startCrashingServer(servers, 0);
  await new Person(living.url, servers.processes[0]!.url, inbox).signUp();
  return readMoments(living.log);
}

function spread(count: number, wanted: number): number[] {
  const points = Array.from({ length: wanted }, (_, index) => 1 + Math.floor((index * count) / wanted));
  return [...new Set(points)];
}

/** Crashes a sign-up at each point and abandons it, as if the user closed the tab. */
async function crashAtEach(fixture: Fixture, points: number[]): Promise<AbandonedSignUp[]> {
  return inParallel(points, async (point) => {
    const person = await signUpAndCrash(fixture, point);
    return { point, person, accounts: await listAccounts(fixture, person.email) };
  });
}

async function signUpAndCrash({ servers, inbox, report }: Fixture, point: number): Promise<Person> {
  await using crashing = await startCrashingServer(servers, point);
  const person = new Person(crashing.url, servers.processes[0]!.url, inbox);
  const failure = await person.browser.try(() => person.signUp());
  report.check('the process died at the chosen moment', failure !== undefined && !(await isAlive(crashing.url)), () => {
    return `moment ${point}: ${failure}`;
  });
  return person;
}

async function isAlive(url: string): Promise<boolean> {
  return fetch(`${url}/healthz`).then(
    () => true,
    () => false,
  );
}

/** A user who can sign in has a complete account: the sweeper must not delete an account in use. */
async function checkBeforeSweep({ report }: Fixture, abandoned: AbandonedSignUp[]): Promise<void> {
  await inParallel(abandoned, async ({ point, person }) => {
    const reason = await person.whyUnusable();
    const isNone = reason === 'email_not_found' || reason === 'sign_in_failed';
    report.check(
      'immediately after the crash: a usable account or none',
      reason === undefined || isNone,
      () => `moment ${point}: ${reason}`,
    );
    return point;
  });
}

async function sweep({ ctx }: Servers): Promise<void> {
  const later = { ...ctx, clock: { now: () => Date.now() + AFTER_THE_QUARTER_HOUR_MS } };
  while ((await purgeIncompleteAccounts(later)) > 0);
}

/** Rows of accounts that do not work. */
async function listIncompleteAccounts(
  { rowReader, servers }: Fixture,
  abandoned: AbandonedSignUp[],
): Promise<string[]> {
  const found: string[] = [];
  for (const { point, person, accounts } of abandoned) {
    if ((await person.whyUnusable()) === undefined) continue;
    for (const account of accounts) {
      const rows = await rowReader.readRows(account);
      if (rows.length > 0) found.push(`moment ${point}: ${rows.join(', ')}`);
    }
    const left = await listAccounts({ servers }, person.email);
    if (left.length > 0) found.push(`moment ${point}: the address is taken`);
  }
  return found;
}

async function checkAgain({ servers, inbox, report }: Fixture, abandoned: AbandonedSignUp[]): Promise<void> {
  await inParallel(abandoned, async ({ point, person }) => {
    if ((await person.whyUnusable()) === undefined) {
      report.count('the account was complete already', 1);
      return;
    }
    const { url } = servers.processes[0]!;
    const again = new Person(url, url, inbox, person.email);
    const failure = await again.browser.try(() => again.signUp());
    const reason = failure ?? (await again.whyUnusable());
    report.check('signing up again works', reason === undefined, () => `moment ${point}: ${reason}`);
  });
}

/** Crashes a sign-up at each point; the same browser reloads and continues it on another process. */
async function checkCarryOn(fixture: Fixture, points: number[]): Promise<void> {
  await inParallel(points, async (point) => {
    const person = await signUpAndCrash(fixture, point);
    person.moveOn();
    const failure = await person.browser.try(() => person.carryOn());
    const reason = failure ?? (await person.whyUnusable());
    fixture.report.check(
      'a browser that continues its sign-up gets an account',
      reason === undefined,
      () => `moment ${point}: ${reason}`,
    );
  });
}

/** The account ids that the directory has for an address. */
async function listAccounts({ servers }: Pick<Fixture, 'servers'>, email: string): Promise<string[]> {
  const client = new Client({ connectionString: servers.engines.env.DIRECTORY_URL });
  await client.connect();
  try {
    const { rows } = await client.query<{ account: string }>(
      'select account from email where address = $1 union select account from sign_up where email = $1',
      [email],
    );
    return rows.map(({ account }) => account);
  } finally {
    await client.end();
  }
}

async function inParallel<T, R>(items: T[], task: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  const queue = [...items.entries()];
  const workers = Array.from({ length: CONCURRENCY }, async () => {
    for (let next = queue.shift(); next; next = queue.shift()) results[next[0]] = await task(next[1]);
  });
  await Promise.all(workers);
  return results;
}

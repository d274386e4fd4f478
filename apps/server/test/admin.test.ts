/** Operator commands on real engines and two shards. */
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import * as opaque from '@serenity-kit/opaque';
import { reportAccount } from '@dostar/protocol/contract/contacts';
import * as sessions from '@dostar/protocol/contract/sessions';
import type { AccountId, DeviceId } from '@dostar/protocol/ids';
import { REALTIME_VERSION } from '@dostar/protocol/realtime';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { SECRET_COLUMNS } from '../src/features/operations/data-export/service.ts';
import { listAppwriteSessions, startAppwriteSession } from '../src/appwrite/accounts/service.ts';
import { deleteRowsOf } from '../src/features/operations/sharding/service.ts';
import { requireEnabled } from '../src/features/identity/sessions/disabling.ts';
import { listSessionsOf, startSession } from '../src/features/identity/sessions/service.ts';
import { insertSession } from '../src/features/identity/sessions/store.ts';
import type { ShardDb } from '../src/platform/postgres/pools.ts';
import { runAdminCommand } from './run-admin-command.ts';
import { Person } from './person.ts';
import { startSmtpPeer } from './smtp-peer.ts';
import type { SmtpPeer } from './smtp-peer.ts';
import { startTestCluster } from './test-cluster.ts';
import type { TestCluster } from './test-cluster.ts';

const run = promisify(execFile);
let smtp: SmtpPeer;
let cluster: TestCluster;
let folder: string;
beforeAll(async () => {
  await opaque.ready;
  folder = await mkdtemp(join(tmpdir(), 'admin-'));
  smtp = await startSmtpPeer();
  cluster = await startTestCluster({
    postgresUrl: inject('postgresUrl'),
    natsUrl: inject('natsUrl'),
    servers: 2,
    env: { SMTP_URL: smtp.url },
  });
});
afterAll(async () => {
  await cluster[Symbol.asyncDispose]();
  await smtp[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

const say = (...words: string[]) => runAdminCommand(cluster.ctx, words);

async function addPerson() {
  const person = new Person(cluster.url, smtp);
  const { body } = await person.signUp();
  return { person, account: body.$id as AccountId, username: body.username as string, token: person.token };
}

async function countAuditEntries(): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) from deed`.execute(cluster.ctx.directory);
  return rows[0]!.count;
}

/** Number of transactions that wait for a lock in this database. */
async function countWaiting(db: ShardDb): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) from pg_locks where locktype = 'advisory' and classid = 7037 and not granted
      and database = (select oid from pg_database where datname = current_database())`.execute(db);
  return rows[0]!.count;
}

async function keep(name: string, secret: string) {
  const path = join(folder, name);
  await writeFile(path, `${secret}\n`, { mode: 0o640 });
  return path;
}

describe('the command line', () => {
  test('help lists every command, and those of one kind', async () => {
    const all = await say('--help');
    expect(all).toMatchObject({ code: 0 });
    for (const name of ['accounts find', 'reports close', 'rotate secret-key', 'raise-epoch', 'audit-log']) {
      expect(all.out).toContain(`  ${name} `);
    }
    const some = await say('accounts', '--help');
    expect(some).toMatchObject({ code: 0 });
    expect(some.out!.split('\n').every((line) => line.startsWith('  accounts '))).toBe(true);
  });

  test('an invalid command is refused with the usage before anything is opened', async () => {
    const { account } = await addPerson();
    const before = await countAuditEntries();
    const wrong = [
      ['nonsense'],
      ['accounts'],
      ['accounts', 'vanish', account],
      ['accounts', 'disable'],
      ['accounts', 'disable', account, 'really'],
      ['accounts', 'delete', 'somebody'],
      ['accounts', 'export', account],
      ['reports', 'close', '7'],
      ['rotate', 'secret-key', 'use'],
      ['raise-epoch', 'all'],
      ['move-bucket', '5000', '1'],
    ];
    for (const words of wrong) {
      const outcome = await runAdminCommand(cluster.ctx, words, {}).catch((error: unknown) => error);
      expect(outcome, words.join(' ')).toMatchObject({ code: 2 });
    }
    expect((await say('accounts', 'disable')).err).toContain('usage: accounts disable WHO');
    expect(await countAuditEntries()).toBe(before);
    expect(await listSessionsOf(cluster.ctx, account)).toHaveLength(1);
  });

  test('the program exits with 0 for help and 2 for an invalid command', async () => {
    const program = fileURLToPath(new URL('../src/admin.ts', import.meta.url));
    const { stdout } = await run(process.execPath, [program, '--help']);
    expect(stdout).toContain('accounts find WHO');
    await expect(run(process.execPath, [program, 'accounts', 'delete', 'x'])).rejects.toMatchObject({
      code: 2,
      stderr: expect.stringContaining('usage: accounts delete ACCOUNT') as string,
    });
  });

  test('every command writes an audit entry with operator, command, account and outcome, but no name', async () => {
    const { person, account } = await addPerson();
    await runAdminCommand(cluster.ctx, ['accounts', 'find', person.email], { operator: 'aigerim' });
    await runAdminCommand(cluster.ctx, ['accounts', 'find', 'nobody.of.that.name'], { operator: 'aigerim' });
    const lines = (await say('audit-log')).out!.split('\n').filter((line) => line.includes('  aigerim  '));
    expect(lines).toHaveLength(2);
    expect(lines[0]).toMatch(/aigerim {2}failed {2}accounts find$/);
    expect(lines[1]).toMatch(new RegExp(`aigerim  done  accounts find  ${account}$`));
    expect((await say('audit-log')).out).not.toContain(person.email);
  });

  test('an old name of a command still works, with a warning', async () => {
    expect(await say('deeds', '1')).toMatchObject({ code: 0, err: '"deeds" is now "audit-log"' });
  });

  test('an old name of an environment variable works with a warning, for the doctor too', async () => {
    const warning = 'POOL_SIZE is now DATABASE_POOL_SIZE; the old name works until 0.3';
    const env = { POOL_SIZE: '7' };
    expect(await runAdminCommand(cluster.ctx, ['version'], { env })).toMatchObject({ code: 0, err: warning });
    const doctor = await runAdminCommand(cluster.ctx, ['doctor'], { env });
    expect(doctor).toMatchObject({ err: warning, out: expect.stringContaining('PROBLEM') as string });
    const failed = await runAdminCommand(cluster.ctx, ['accounts', 'find', 'no.such.name'], { env });
    expect(failed).toMatchObject({ code: 1, err: expect.stringMatching(`^${warning}\n.`) as string });
    expect((await say('version')).err).toBeUndefined();
    const program = fileURLToPath(new URL('../src/admin.ts', import.meta.url));
    const { stderr } = await run(process.execPath, [program, 'version'], { env });
    expect(stderr).toBe(`${warning}\n`);
  });
});

describe('accounts', () => {
  test('an account is found by username, email address and id', async () => {
    const { person, account, username } = await addPerson();
    for (const who of [username, username.toUpperCase(), person.email, account]) {
      const { code, out } = await say('accounts', 'find', who);
      expect(code).toBe(0);
      expect(out).toContain(account);
      expect(out).toContain(username);
      expect(out).toContain(person.email);
      expect(out).toMatch(/state {6}whole/);
      expect(out).toMatch(/sessions {3}1/);
    }
    expect(await say('accounts', 'find', randomUUID())).toMatchObject({ code: 1, err: 'no account has that id' });
  });

  test('a disabled account is signed out at every process, its sockets end, and its password is refused plainly', async () => {
    const { person, account, token } = await addPerson();
    const [one, other] = cluster.servers;
    for (const { url } of [one!, other!]) {
      expect((await person.call(sessions.getSession, undefined, url)).status).toBe(200);
    }
    using socket = await cluster.connect({ account, token }, other);
    socket.say({ t: 'resume', v: REALTIME_VERSION, cursor: null });
    await socket.until(() => socket.all('resumed').length + socket.all('reset').length > 0, 'an answer to resume');
    expect(await say('accounts', 'disable', person.email)).toMatchObject({ code: 0 });
    await socket.closed;
    for (const { url } of [one!, other!]) {
      await expect.poll(async () => (await person.call(sessions.getSession, undefined, url)).status).toBe(401);
    }
    expect(await person.signIn()).toMatchObject({ status: 403, body: { error: 'account_disabled' } });
    expect(await person.signIn('a wrong one')).not.toMatchObject({ body: { error: 'account_disabled' } });
    expect((await say('accounts', 'find', account)).out).toMatch(/state {6}disabled since/);
    // Repeating the command changes nothing.
    expect(await say('accounts', 'disable', account)).toMatchObject({ code: 0 });

    const friend = await addPerson();
    await cluster.befriend({ account, token }, friend);
    expect(await cluster.send(friend, { account, token }, 'see you')).toMatchObject({ status: 200 });
    expect(await say('accounts', 'enable', account)).toMatchObject({ code: 0, out: `${account} may sign in again` });
    expect(await person.signIn()).toMatchObject({ status: 200 });
    expect(await cluster.listEntries({ account, token })).toHaveLength(1);
  });

  test('a disabled account has no session on the other API either, now or when it is enabled', async () => {
    const { person, account } = await addPerson();
    const begin = () =>
      startAppwriteSession(cluster.ctx, account, { provider: 'google', factors: ['oauth2'], client: '' });
    const { secret } = await begin();
    const headers = { 'x-appwrite-project': 'dostar', 'x-appwrite-session': secret };
    const look = async (): Promise<number> => (await fetch(`${cluster.url}/v1/account`, { headers })).status;
    expect(await look()).toBe(200);
    expect(await say('accounts', 'disable', person.email)).toMatchObject({ code: 0 });
    expect(await listAppwriteSessions(cluster.ctx, account)).toEqual([]);
    await expect(begin()).rejects.toThrow('has been blocked');
    await say('accounts', 'enable', account);
    expect(await look()).toBe(401);
  });

  test('a concurrent sign-in does not slip through', async () => {
    const { account } = await cluster.addAccount(1);
    const shard = cluster.ctx.shards.of(account);
    // On a busy machine a lock may time out; the test tries again, as an operator would.
    const disable = async (): Promise<void> => {
      await expect.poll(async () => (await say('accounts', 'disable', account)).code).toBe(0);
    };
    const late = {
      owner: account,
      id: randomUUID(),
      device: randomUUID() as DeviceId,
      secretHash: Buffer.alloc(32, 5),
    };
    const disabled = await shard.write(account, async (db) => {
      await requireEnabled(db, account);
      const waiting = { promise: disable() };
      await expect.poll(() => countWaiting(db)).toBe(1);
      const life = { createdAt: Date.now(), expiresAt: Date.now() + 3_600_000 };
      await insertSession(db, { ...late, ...life, provenAt: life.createdAt, client: '', isPending: false });
      return waiting;
    });
    await disabled.promise;
    expect(await listSessionsOf(cluster.ctx, account)).toEqual([]);
    await expect(startSession(cluster.ctx, account)).rejects.toThrow('account_disabled');
  });

  test('an export contains the records of one account and no credentials', async () => {
    const { person, account, token } = await addPerson();
    const friend = await addPerson();
    await cluster.befriend({ account, token }, friend);
    await cluster.send({ account, token }, friend, 'sealed words');
    const path = join(folder, 'export.json');
    expect(await say('accounts', 'export', person.email, path)).toMatchObject({ code: 0 });
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    const text = await readFile(path, 'utf8');
    const { directory, records } = JSON.parse(text) as Record<string, Record<string, Record<string, unknown>[]>>;
    expect(directory!['email']).toMatchObject([{ address: person.email }]);
    expect(records!['user_document']).toMatchObject([{ owner: account }]);
    expect(records!['log']).toMatchObject([{ owner: account, body: expect.stringMatching(/^\\x/) as string }]);
    expect(records!['contact']).toMatchObject([{ peer: friend.account }]);
    const names = new Set(
      [...Object.values(directory!), ...Object.values(records!)].flat().flatMap((row) => Object.keys(row)),
    );
    for (const secret of SECRET_COLUMNS) expect(names).not.toContain(secret);
    expect(text).not.toContain(friend.person.email);
    // It never overwrites an existing file.
    expect(await say('accounts', 'export', account, path)).toMatchObject({ code: 1 });
    expect(await readFile(path, 'utf8')).toBe(text);
  });

  test('a column that looks like a secret is left out of exports, or declared as no secret', async () => {
    const isNone = ['access_token', 'auth_data', 'key_hash'];
    const ask = sql<{ name: string }>`
      select distinct column_name as name from information_schema.columns
      where table_schema = 'public' and column_name ~ 'hash|secret|password|token|sealed|auth|private'`;
    const found = await Promise.all([
      ask.execute(cluster.ctx.directory),
      cluster.ctx.shards.byId(0).query((db) => ask.execute(db)),
    ]);
    const suspects = new Set(found.flatMap(({ rows }) => rows.map(({ name }) => name)));
    const left = [...suspects].filter((name) => !SECRET_COLUMNS.includes(name) && !isNone.includes(name));
    expect(left.toSorted((a, b) => a.localeCompare(b))).toEqual(['fcm_tokens', 'password_at', 'password_proven_at']);
  });

  test('deleting accepts only an id, and removes the account, its name and its address', async () => {
    const { person, account, username } = await addPerson();
    expect(await say('accounts', 'delete', username)).toMatchObject({ code: 2 });
    const before = person.countEmails();
    expect(await say('accounts', 'delete', account)).toMatchObject({ code: 0 });
    for (const who of [person.email, username, account]) {
      expect(await say('accounts', 'find', who)).toMatchObject({ code: 1 });
    }
    expect(await person.signIn()).toMatchObject({ status: 404, body: { error: 'email_not_found' } });
    // An email says so, as after the user's own deletion.
    await expect.poll(() => person.countEmails()).toBe(before + 1);
    expect(await say('accounts', 'delete', account)).toMatchObject({ code: 1, err: 'no account has that id' });
  });

  test('an account whose deletion was interrupted is found by its remaining rows, and deleted', async () => {
    const { person, account } = await addPerson();
    await deleteRowsOf(cluster.ctx, account);
    const { code, out } = await say('accounts', 'find', person.email);
    expect({ code, out }).toMatchObject({ code: 0, out: expect.stringContaining(account) as string });
    expect(await say('accounts', 'delete', account)).toMatchObject({ code: 0 });
    expect(await say('accounts', 'find', person.email)).toMatchObject({ code: 1 });
  });
});

test('a report is listed, shown with its details, and leaves the queue when it is closed', async () => {
  const [writer, subject] = [await addPerson(), await addPerson()];
  const act = randomUUID();
  const note = 'sells\u001B[2Jwatches';
  await cluster.call(reportAccount, writer, { act, peer: subject.account, reason: 'spam', note });
  expect((await say('reports', 'list')).out).toContain(act);
  const shown = (await say('reports', 'show', act)).out!;
  expect(shown).toContain(`of ${subject.username}, by ${writer.username}`);
  expect(shown).toContain('sells [2Jwatches');
  expect(shown).toContain('0 other reports');
  expect((await say('accounts', 'find', subject.account)).out).toContain('1 times, 1 open');
  expect(await say('reports', 'close', act, 'talked', 'to', 'them')).toMatchObject({ code: 0, out: 'closed' });
  expect((await say('reports', 'list')).out).not.toContain(act);
  expect((await say('reports', 'show', act)).out).toContain('  closed ');
  expect(await say('reports', 'close', act)).toMatchObject({ code: 0, out: 'already closed' });
  expect((await say('audit-log')).out).toContain(`reports close ${act} talked to them  ${subject.account}`);
  expect(await say('reports', 'show', randomUUID())).toMatchObject({ code: 1, err: 'no report has that id' });
});

describe('secrets', () => {
  test('a new SECRET_KEY is first added, then used, and the old one is removed after a week', async () => {
    const old = Buffer.alloc(32, 7).toString('base64');
    const path = await keep('secret-key', old);
    const env = { SECRET_KEY_FILE: path };
    const rotate = (...words: string[]) => runAdminCommand(cluster.ctx, ['rotate', 'secret-key', ...words], { env });
    const keys = async () => (await readFile(path, 'utf8')).trim().split('\n');

    const begun = await rotate('begin');
    const id = /key ([\da-f]{8})/.exec(begun.out!)![1]!;
    const [first, fresh] = await keys();
    expect(first).toBe(old);
    expect(begun.out).not.toContain(fresh);
    expect((await rotate('begin')).err).toContain('a rotation is under way');
    expect((await rotate('finish', id)).err).toContain('is not in use yet');
    expect((await rotate('use', 'deadbeef')).err).toContain('there is no key deadbeef');
    for (let n = 0; n < 2; n += 1) {
      expect(await rotate('use', id)).toMatchObject({ code: 0 });
      expect(await keys()).toEqual([fresh, old]);
    }
    expect((await rotate('finish', id)).err).toContain('wait, or add the word "now"');
    expect(await keys()).toEqual([fresh, old]);
    expect(await rotate('finish', id, 'now')).toMatchObject({ code: 0 });
    expect(await keys()).toEqual([fresh]);
    expect((await stat(path)).mode & 0o777).toBe(0o640);
    expect((await readdir(folder)).filter((name) => name.endsWith('.new'))).toEqual([]);
  });

  test('a push key is replaced; an existing one is read from a pipe and checked first', async () => {
    const vapid = await keep('vapid-key', 'A'.repeat(43));
    const smtpUrl = await keep('smtp-url', 'smtp://old.example');
    const env = { VAPID_KEY_FILE: vapid, SMTP_URL_FILE: smtpUrl };
    expect(await runAdminCommand(cluster.ctx, ['rotate', 'vapid-key'], { env })).toMatchObject({ code: 0 });
    expect(await readFile(vapid, 'utf8')).toMatch(/^[\w-]{43}\n$/);
    expect(await readFile(vapid, 'utf8')).not.toContain('AAAAA');
    const bad = await runAdminCommand(cluster.ctx, ['rotate', 'smtp-url'], { env, input: 'ftp://user:hidden@host' });
    expect(bad).toEqual({ code: 1, err: 'that is not a SMTP_URL' });
    expect(await readFile(smtpUrl, 'utf8')).toBe('smtp://old.example\n');
    const good = await runAdminCommand(cluster.ctx, ['rotate', 'smtp-url'], {
      env,
      input: 'smtps://user:hidden@host\n',
    });
    expect(good).toMatchObject({ code: 0 });
    expect(good.out).not.toContain('hidden');
    expect(await readFile(smtpUrl, 'utf8')).toBe('smtps://user:hidden@host\n');
  });

  test('rotating a secret without a file names the setting for the file', async () => {
    expect((await say('rotate', 'vapid-key')).err).toContain('VAPID_KEY_FILE');
  });
});

test('a raised epoch reaches every mailbox of its shard', async () => {
  const alice = await cluster.addAccount(1);
  const epochOf = async () => {
    const { rows } = await cluster.ctx.shards
      .of(alice.account)
      .query((db) => sql<{ epoch: number }>`select epoch from mailbox where owner = ${alice.account}`.execute(db));
    return rows[0]!.epoch;
  };
  const before = await epochOf();
  expect(await say('raise-epoch', '1')).toMatchObject({ code: 0 });
  expect(await epochOf()).toBe(before + 1);
  expect((await say('raise-epoch', '9')).err).toContain('shard 9 is not configured');
});

test('an installation refuses the command to sign in without a password', async () => {
  const { account } = await cluster.addAccount();
  const installed = { ...cluster.ctx, origins: ['https://family.example'] };
  const { code, err } = await runAdminCommand(installed, ['session', account]);
  expect([code, err]).toEqual([1, expect.stringContaining('this command is for development')]);
  expect(await say('session', account)).toMatchObject({ code: 0 });
});

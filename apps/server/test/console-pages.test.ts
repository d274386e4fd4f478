/** The pages of the operator's console: the same acts as the commands, with the same entries in the audit log. */
import * as opaque from '@serenity-kit/opaque';
import { reportAccount } from '@dostar/protocol/contract/contacts';
import type { AccountId } from '@dostar/protocol/ids';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest';
import { listNewestAuditEntries } from '../src/features/operations/audit-log/service.ts';
import { findDisabledAt } from '../src/features/identity/sessions/disabling.ts';
import { ConsoleBrowser } from './console-browser.ts';
import { Person } from './person.ts';
import { runAdminCommand } from './run-admin-command.ts';
import { startSmtpPeer } from './smtp-peer.ts';
import type { SmtpPeer } from './smtp-peer.ts';
import { startTestCluster } from './test-cluster.ts';
import type { TestCluster } from './test-cluster.ts';

const OPERATOR = 'aigerim (console)';
let smtp: SmtpPeer;
let cluster: TestCluster;
let browser: ConsoleBrowser;
beforeAll(async () => {
  await opaque.ready;
  smtp = await startSmtpPeer();
  const engines = { postgresUrl: inject('postgresUrl'), natsUrl: inject('natsUrl') };
  cluster = await startTestCluster({ ...engines, env: { SMTP_URL: smtp.url, BLOB_QUOTA_TOTAL_BYTES: '10485760' } });
});
afterAll(async () => {
  await cluster[Symbol.asyncDispose]();
  await smtp[Symbol.asyncDispose]();
});
beforeEach(async () => {
  browser = await ConsoleBrowser.open(cluster, 'aigerim');
});

async function addPerson() {
  const person = new Person(cluster.url, smtp);
  const { body } = await person.signUp();
  return { person, email: person.email, account: body.$id as AccountId, username: body.username as string };
}

async function newestEntry() {
  const [entry] = await listNewestAuditEntries(cluster.ctx, 1);
  const { at: _, ...rest } = entry!;
  return rest;
}

test('an account is found by username, email address and id, and the search is in the audit log without the name', async () => {
  const { email, account, username } = await addPerson();
  for (const who of [username, email, account]) {
    const { status, html } = await browser.post('/console/accounts/find', { who });
    expect(status).toBe(200);
    for (const text of [username, email, account, 'active', '0 bytes']) expect(html).toContain(text);
    expect(await newestEntry()).toEqual({
      operator: OPERATOR,
      words: 'accounts find',
      subject: account,
      outcome: 'done',
    });
  }
  const nothing = ['no.such.name', 'x@example.org', '00000000-0000-4000-8000-000000000000', '%', ''];
  for (const who of nothing) {
    const { html } = await browser.post('/console/accounts/find', { who });
    expect(html, who).toContain('No account has that name, address or id.');
  }
});

test('an account is disabled and enabled as by the commands', async () => {
  const { person, account } = await addPerson();
  const disabled = await browser.post('/console/accounts/disable', { account });
  expect(disabled.html).toContain('The account is disabled and signed out everywhere.');
  expect(disabled.html).toContain('Enable the account');
  expect(await findDisabledAt(cluster.ctx, account)).toBeDefined();
  expect(await newestEntry()).toMatchObject({ operator: OPERATOR, words: 'accounts disable', subject: account });
  expect(await person.signIn()).toMatchObject({ status: 403 });
  const enabled = await browser.post('/console/accounts/enable', { account });
  expect(enabled.html).toContain('Disable the account');
  expect(await findDisabledAt(cluster.ctx, account)).toBeUndefined();
});

test('an account is deleted only with the confirmation', async () => {
  const { account, email } = await addPerson();
  const refused = await browser.post('/console/accounts/delete', { account, confirm: 'yes' });
  expect(refused.html).toContain('Nothing was deleted.');
  expect(refused.html).toContain(email);
  const deleted = await browser.post('/console/accounts/delete', { account, confirm: 'delete' });
  expect(deleted.html).toContain('The account is deleted.');
  expect(await newestEntry()).toEqual({
    operator: OPERATOR,
    words: 'accounts delete',
    subject: account,
    outcome: 'done',
  });
  expect((await browser.post('/console/accounts/find', { who: email })).html).toContain('No account has that name');
});

test('an invite is made, listed and revoked, and its note and address stay out of the audit log', async () => {
  const wanted = { uses: '3', days: '2', email: '', note: '--help <b>Class</b>' };
  const { html } = await browser.post('/console/invites/create', wanted);
  expect(html).toMatch(/value="http:\/\/localhost:5173\/invite#[\w-]{22}"/);
  expect(html).toContain('3 of 3');
  expect(html).toContain('--help &lt;b&gt;Class&lt;/b&gt;');
  const entries = await listNewestAuditEntries(cluster.ctx, 2);
  expect(entries.map(({ words }) => words)).toEqual(['invites', 'invite --uses 3 --days 2']);
  const wrong = await browser.post('/console/invites/create', { ...wanted, days: '1000' });
  expect(wrong.html).toContain('role="alert"');
  const [id] = /(?<=name="invite" value=")[\da-f-]{36}/.exec(html)!;
  expect((await browser.post('/console/invites/revoke', { invite: id })).html).toContain('The invite is revoked.');
  expect((await browser.post('/console/invites/revoke', { invite: id })).html).toContain('revoked before');
  expect((await runAdminCommand(cluster.ctx, ['invites'])).out).toBe('no invites');
});

test('the storage page shows the total, the limit and the accounts that store most', async () => {
  const { account, username } = await addPerson();
  await cluster.ctx.shards.write(account, (db) =>
    sql`insert into blob_held (owner, blob, charged, at) values (${account}, gen_random_uuid(), 5242880, 0)`.execute(
      db,
    ),
  );
  const { html } = await browser.get('/console/storage');
  for (const text of ['5.0 MB', 'of 10.0 MB', username, '5.0 GB']) expect(html).toContain(text);
  expect(await newestEntry()).toMatchObject({ operator: OPERATOR, words: 'console storage', outcome: 'done' });
});

test('a report is listed with both users and closed with a note for the audit log', async () => {
  const [reporter, reported] = [await addPerson(), await addPerson()];
  const id = crypto.randomUUID();
  const report = { act: id, peer: reported.account, reason: 'spam' as const, note: '<i>sells</i> things' };
  expect(await reporter.person.call(reportAccount, report)).toMatchObject({ status: 200 });
  const { html } = await browser.get('/console/reports');
  for (const text of ['spam', reporter.username, reported.username, '&lt;i&gt;sells&lt;/i&gt; things'])
    expect(html).toContain(text);
  expect(await newestEntry()).toMatchObject({ operator: OPERATOR, words: 'reports list', outcome: 'done' });
  // The word that asks the command line for help is a note like any other.
  const closed = await browser.post('/console/reports/close', { report: id, note: 'help' });
  expect(closed.html).toContain('The report is closed.');
  expect(closed.html).toContain('No report is open.');
  const entries = await listNewestAuditEntries(cluster.ctx, 2);
  expect(entries[1]).toMatchObject({ words: `reports close ${id} help`, subject: reported.account, outcome: 'done' });
});

test('a form with a wrong id changes nothing', async () => {
  const wrong = [
    ['/console/accounts/disable', { account: 'aigerim' }],
    ['/console/accounts/delete', { account: '', confirm: 'delete' }],
    ['/console/invites/revoke', { invite: '1' }],
    ['/console/reports/close', { report: '1' }],
  ] as const;
  for (const [path, form] of wrong) expect((await browser.post(path, form)).status, path).toBe(400);
});

test('the audit log shows the acts of the console beside those of the command line', async () => {
  await runAdminCommand(cluster.ctx, ['invites'], { operator: 'bolat' });
  const { html } = await browser.get('/console/audit-log');
  for (const text of ['bolat', OPERATOR, 'console open', 'invites', 'done']) expect(html).toContain(text);
});

/** The security log: each attempt with its outcome, without a name, an address or a token. */
import { CALL_HEADER } from '@dostar/protocol/contract/endpoint';
import * as factors from '@dostar/protocol/contract/second-factors';
import * as passwords from '@dostar/protocol/contract/passwords';
import * as sessions from '@dostar/protocol/contract/sessions';
import * as opaque from '@serenity-kit/opaque';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { createLog } from '../src/platform/observability/log.ts';
import { AppwriteHttp } from '../src/appwrite/http.ts';
import { SECURITY_ROUTES } from '../src/platform/observability/security-events.ts';
import { mountAppwriteRoutes } from '../src/roles/appwrite.ts';
import { callNobody, openIdleHttp } from './idle-http.ts';
import { listContract } from './list-contract.ts';
import { Person } from './person.ts';
import { addPerson, makeApp, PASSWORD, AppwriteClient } from './appwrite-people.ts';
import { startSmtpPeer } from './smtp-peer.ts';
import type { SmtpPeer } from './smtp-peer.ts';
import { startTestCluster } from './test-cluster.ts';
import type { TestCluster } from './test-cluster.ts';

type Line = Record<string, unknown>;

let smtp: SmtpPeer;
let cluster: TestCluster;
const lines: string[] = [];
const log = createLog('info', { write: (line) => void lines.push(line) });

beforeAll(async () => {
  await opaque.ready;
  smtp = await startSmtpPeer();
  const engines = { postgresUrl: inject('postgresUrl'), natsUrl: inject('natsUrl') };
  cluster = await startTestCluster({ ...engines, env: { SMTP_URL: smtp.url }, overrides: { log } });
});
afterAll(async () => {
  await cluster[Symbol.asyncDispose]();
  await smtp[Symbol.asyncDispose]();
});
beforeEach(() => {
  lines.length = 0;
});

function listEvents(): Line[] {
  return lines.map((line) => JSON.parse(line) as Line).filter(({ msg }) => msg === 'security');
}

/** A line is written after the response has been sent. */
async function expectEvent(line: Line): Promise<Line> {
  await expect.poll(listEvents).toContainEqual(expect.objectContaining(line));
  return listEvents().find((each) => Object.entries(line).every(([name, value]) => each[name] === value))!;
}

function expectNothingPersonal(...secrets: string[]): void {
  for (const secret of [...secrets, '127.0.0.1', '@example.org']) expect(lines.join('')).not.toContain(secret);
}

const ask = () => fetch(new URL(sessions.getSession.path, cluster.url));

describe('/api', () => {
  test('a sign-up, a wrong and a right password, and the end of the session', async () => {
    const person = new Person(cluster.url, smtp);
    const { body } = await person.signUp();
    const account = body.$id as string;
    const { who } = await expectEvent({ event: 'account_created', outcome: 'success' });
    expect(who).toMatch(/^[\da-f]{12}$/);
    const laptop = new Person(cluster.url, smtp);
    Object.defineProperty(laptop, 'email', { value: person.email });
    await laptop.call(passwords.finishLogin, { login: 'made-up', finish: 'AAAA' });
    await expectEvent({ event: 'sign_in', method: 'password', outcome: 'failure', reason: 'sign_in_failed' });
    lines.length = 0;
    await laptop.signIn('a wrong one');
    await expectEvent({ event: 'sign_in_begun', method: 'password', outcome: 'success' });
    expect(listEvents()).toHaveLength(1);
    await laptop.signIn();
    await expectEvent({ event: 'sign_in', method: 'password', outcome: 'success', who });
    await laptop.prove();
    await expectEvent({ event: 'reauthentication', method: 'password', outcome: 'success', who });
    const { body: made } = await laptop.call(factors.startTotp, {});
    await laptop.call(factors.confirmFactor, { kind: 'totp', code: makeApp(made.secret, Date.now)() });
    await expectEvent({ event: 'factor_added', outcome: 'success', who });
    const { token } = laptop;
    await laptop.call(sessions.revokeCurrentSession);
    await expectEvent({ event: 'session_ended', outcome: 'success', who });
    expectNothingPersonal(person.email, account, token, made.secret);
  });

  test('a call from another page, a stale session and a limit', async () => {
    const alice = await cluster.addAccount();
    await fetch(new URL(sessions.getSession.path, cluster.url));
    await expectEvent({ event: 'authorization', outcome: 'refused', reason: 'forbidden' });
    const cookie = `${sessions.SESSION_COOKIE}=${alice.token.slice(0, -4)}AAAA`;
    await fetch(new URL(sessions.getSession.path, cluster.url), { headers: { [CALL_HEADER]: '1', cookie } });
    await expectEvent({ event: 'authorization', outcome: 'refused', reason: 'unauthenticated' });
    for (let n = 0; n < 121; n += 1) await cluster.call(passwords.listWraps, alice);
    const who = cluster.ctx.security.pseudonymOf(alice.account);
    await expectEvent({ event: 'limit_reached', outcome: 'refused', route: passwords.listWraps.path, who });
    expectNothingPersonal(alice.token, alice.account);
  });

  test('a visitor without a session causes no event', async () => {
    await fetch(new URL(sessions.getSession.path, cluster.url), { headers: { [CALL_HEADER]: '1' } });
    await fetch(new URL(sessions.getSession.path, cluster.url));
    await expectEvent({ reason: 'forbidden' });
    expect(listEvents()).toHaveLength(1);
  });

  test('many refusals are not all logged, but counted', async () => {
    await Promise.all(Array.from({ length: 200 }, ask));
    // Waits until a refusal is logged again, so that the next test starts in a second with spare capacity.
    const later = new Set<unknown>();
    await expect
      .poll(async () => {
        later.add((await ask()).headers.get('x-request-id'));
        return listEvents().some(({ request }) => later.has(request));
      })
      .toBe(true);
    expect(listEvents().some(({ unlogged }) => Number(unlogged) > 0)).toBe(true);
    expect(listEvents().length).toBeLessThan(200);
  });
});

describe('/v1', () => {
  test('sign-ins, changes and refusals', async () => {
    const person = await addPerson(cluster.url);
    await new AppwriteClient(cluster.url).call('POST', '/account/sessions/email', {
      email: person.email,
      password: 'wrong',
    });
    await expectEvent({ event: 'sign_in', outcome: 'failure', reason: 'user_invalid_credentials' });
    await new AppwriteClient(cluster.url).signIn(person.email);
    const { who } = await expectEvent({ event: 'sign_in', method: 'password', outcome: 'success' });
    await person.call('PATCH', '/account/password', { password: 'another one', oldPassword: PASSWORD });
    await expectEvent({ event: 'password_changed', outcome: 'success', who });
    await person.call('GET', '/account/mfa/recovery-codes');
    await expectEvent({ event: 'authorization', reason: 'user_challenge_required', who });
    expectNothingPersonal(person.email, person.id);
  });
});

test('every route that is declared an event exists', async () => {
  const http = openIdleHttp(cluster.ctx);
  const { limits } = cluster.ctx;
  const service = new AppwriteHttp(http.app, { project: '', origins: [], limits, log, identify: callNobody });
  mountAppwriteRoutes(service, cluster.ctx);
  await http.close();
  const known = new Set([
    ...(await listContract()).map(({ method, path }) => `${method} ${path}`),
    ...service.routes.map(({ method, path }) => `${method} /v1${path}`),
  ]);
  expect(SECURITY_ROUTES.filter((route) => !known.has(route))).toEqual([]);
});

test('a database error is logged without the values it quotes', async () => {
  const address = 'somebody@example.org';
  const account = (await cluster.addAccount()).account;
  const row = { address, account, state: 'whole' as const, since: 1, verified_at: 1 };
  const insert = () => cluster.ctx.directory.insertInto('email').values(row).execute();
  await insert();
  const error = await insert().catch((each: unknown) => each);
  expect(JSON.stringify(error)).toContain(address);
  log.error({ err: error }, 'unexpected');
  log.error({ err: new Error('around it', { cause: error }) }, 'unexpected');
  const [line, wrapped] = lines.map((each) => JSON.parse(each) as { err: Line });
  expect(line!.err).toMatchObject({ message: 'database error 23505', code: '23505', table: 'email' });
  expect(line!.err['stack']).toMatch(/^\s+at /);
  expect(wrapped!.err).toMatchObject({ message: 'around it', cause: { code: '23505' } });
  expectNothingPersonal(address, account);
});

test('a line says which process of which roles wrote it', () => {
  const written: string[] = [];
  createLog('info', { write: (line) => void written.push(line) }, ['api', 'worker']).info('hello');
  expect(JSON.parse(written[0]!)).toMatchObject({ pid: process.pid, roles: 'api worker', msg: 'hello' });
});

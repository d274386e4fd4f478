/** Accounts of `/v1` beyond signing in: JWTs, emails, targets, topics, second factors. */
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { resealFactors } from '../src/features/identity/second-factors/service.ts';
import { yieldAppwriteEmail } from '../src/appwrite/ids/service.ts';
import {
  addPerson,
  addProductPerson,
  makeApp,
  PASSWORD,
  plainOf,
  readEmail,
  AppwriteClient,
  writeAppwriteFile,
} from './appwrite-people.ts';
import type { AppwritePerson } from './appwrite-people.ts';
import { startSmtpPeer } from './smtp-peer.ts';
import type { SmtpPeer } from './smtp-peer.ts';
import { ORIGIN, startTestCluster } from './test-cluster.ts';
import type { TestCluster } from './test-cluster.ts';

let smtp: SmtpPeer;
let cluster: TestCluster;
let ahead = 0;
const now = (): number => Date.now() + ahead;

beforeAll(async () => {
  smtp = await startSmtpPeer();
  const topics = [
    { id: 'news', subscribe: ['users'] },
    { id: 'staff', subscribe: ['label:staff'] },
  ];
  const file = await writeAppwriteFile({ hosts: ['app.test'], topics });
  const engines = { postgresUrl: inject('postgresUrl'), natsUrl: inject('natsUrl') };
  const env = { SMTP_URL: smtp.url, APPWRITE_CONFIG_FILE: file };
  cluster = await startTestCluster({ ...engines, env, overrides: { clock: { now } } });
});
afterAll(async () => {
  await cluster[Symbol.asyncDispose]();
  await smtp[Symbol.asyncDispose]();
});

// The standard library's types do not know `rawJSON` yet.
const { rawJSON } = JSON as unknown as { rawJSON: (text: string) => unknown };
const guest = (): AppwriteClient => new AppwriteClient(cluster.url);
const refusal = (status: number, type: string) => ({ status, body: { type } });

const pass = async (person: AppwritePerson, body = {}): Promise<AppwriteClient> => {
  const { body: made } = await person.call('POST', '/account/jwts', body);
  return new AppwriteClient(cluster.url, { 'x-appwrite-jwt': made.jwt });
};

test('numbers in preferences come back, however long they are', async () => {
  const person = await addPerson(cluster.url);
  // As a decimal number 1e20 would have more digits than a request may contain.
  const prefs = { whole: rawJSON('9223372036854775807'), round: rawJSON('1e20'), large: 1e308 };
  const kept = { whole: Number('9223372036854775807'), round: 1e20, large: 1e308 };
  expect(await person.call('PATCH', '/account/prefs', { prefs })).toMatchObject({ status: 200, body: { prefs: kept } });
  expect(await person.call('GET', '/account/prefs')).toMatchObject({ status: 200, body: kept });
});

test('an id that is not a string is refused', async () => {
  const person = await addPerson(cluster.url);
  const id = { toString: 'no function' };
  const refused = refusal(400, 'general_argument_invalid');
  expect(await person.call('PUT', '/account/mfa/challenges', { challengeId: id, otp: '123456' })).toMatchObject(
    refused,
  );
  for (const path of ['/account/verification', '/account/recovery']) {
    const body = { userId: id, secret: 'a'.repeat(64), password: PASSWORD };
    expect(await person.call('PUT', path, body)).toMatchObject(refused);
  }
  expect(await guest().call('POST', '/account/sessions/token', { userId: id, secret: 'x' })).toMatchObject(refused);
});

describe('JWTs', () => {
  test('a JWT authenticates its user until it expires', async () => {
    const person = await addPerson(cluster.url);
    const holder = await pass(person, { duration: 60 });
    expect(await holder.call('GET', '/account')).toMatchObject({ status: 200, body: { $id: person.id } });
    ahead += 61_000;
    expect(await holder.call('GET', '/account')).toMatchObject(refusal(401, 'user_jwt_invalid'));
  });

  test('a JWT ends with its session and cannot create another', async () => {
    const person = await addPerson(cluster.url);
    const holder = await pass(person);
    expect(await holder.call('POST', '/account/jwts', {})).toMatchObject(refusal(403, 'user_jwt_creation_denied'));
    await person.call('DELETE', '/account/sessions/current', {});
    expect(await holder.call('GET', '/account')).toMatchObject(refusal(401, 'user_jwt_invalid'));
  });

  test('a forged JWT is refused', async () => {
    const person = await addPerson(cluster.url);
    const { body } = await person.call('POST', '/account/jwts', {});
    const [header, claims, signature] = (body.jwt as string).split('.');
    const none = Buffer.from('{"typ":"JWT","alg":"none"}').toString('base64url');
    const longer = Buffer.from(
      JSON.stringify({ ...(JSON.parse(Buffer.from(claims!, 'base64url').toString()) as object), exp: 9e9 }),
    ).toString('base64url');
    for (const jwt of [`${none}.${claims}.`, `${header}.${longer}.${signature}`, 'x', `${header}.${claims}`]) {
      const forger = new AppwriteClient(cluster.url, { 'x-appwrite-jwt': jwt });
      expect(await forger.call('GET', '/account')).toMatchObject(refusal(401, 'user_jwt_invalid'));
    }
  });
});

const bring = (link: URL): { userId: string; secret: string } => ({
  userId: link.searchParams.get('userId')!,
  secret: link.searchParams.get('secret')!,
});

describe('emails', () => {
  const url = 'https://app.test/verify?lang=kk';

  test('an email verifies an address once, within an hour', async () => {
    const person = await addPerson(cluster.url);
    expect(await person.call('POST', '/account/verification', { url })).toMatchObject({ status: 201 });
    const late = bring(await readEmail(smtp, person.email));
    ahead += 3_601_000;
    expect(await guest().call('PUT', '/account/verification', late)).toMatchObject(refusal(401, 'user_invalid_token'));
    await person.call('POST', '/account/verification', { url });
    const link = await readEmail(smtp, person.email, 2);
    expect(link.searchParams.get('lang')).toBe('kk');
    expect(await guest().call('PUT', '/account/verification', bring(link))).toMatchObject({ status: 200 });
    expect(await person.call('GET', '/account')).toMatchObject({ body: { emailVerification: true } });
    const again = await guest().call('PUT', '/account/verification', bring(link));
    expect(again).toMatchObject(refusal(401, 'user_invalid_token'));
  });

  test('an email verifies nothing once another account has verified the address', async () => {
    const person = await addPerson(cluster.url);
    await person.call('POST', '/account/verification', { url });
    const link = await readEmail(smtp, person.email);
    await yieldAppwriteEmail(cluster.ctx, person.email);
    const late = await guest().call('PUT', '/account/verification', bring(link));
    expect(late).toMatchObject(refusal(401, 'user_invalid_token'));
    expect(await person.call('GET', '/account')).toMatchObject({ body: { emailVerification: false } });
  });

  test('an email for one purpose is not valid for another', async () => {
    const person = await addPerson(cluster.url);
    await person.call('POST', '/account/verification', { url });
    const brought = bring(await readEmail(smtp, person.email));
    const wrong = await guest().call('PUT', '/account/recovery', { ...brought, password: 'stolen' });
    expect(wrong).toMatchObject(refusal(401, 'user_invalid_token'));
  });

  test('a recovered password ends every session', async () => {
    const person = await addPerson(cluster.url);
    expect(await guest().call('POST', '/account/recovery', { email: person.email, url })).toMatchObject({
      status: 201,
    });
    const brought = bring(await readEmail(smtp, person.email));
    expect(await guest().call('PUT', '/account/recovery', { ...brought, password: 'new one' })).toMatchObject({
      status: 200,
    });
    expect(await person.call('GET', '/account')).toMatchObject(refusal(401, 'general_unauthorized_scope'));
    const old = { email: person.email, password: PASSWORD };
    expect(await guest().call('POST', '/account/sessions/email', old)).toMatchObject({ status: 401 });
    await guest().signIn(person.email, 'new one');
  });

  test('a request for an email does not tell whether an address has an account', async () => {
    const { email, id } = await addPerson(cluster.url);
    const [known, unknown] = await Promise.all(
      [email, 'nobody@example.org'].map((to) => guest().call('POST', '/account/recovery', { email: to, url })),
    );
    expect(unknown!.status).toBe(known!.status);
    expect(Object.keys(unknown!.body)).toEqual(Object.keys(known!.body));
    for (const { body } of [known!, unknown!]) expect(body.userId).toMatch(/^6[0-9a-f]{19}$/);
    expect(known!.body.userId).not.toBe(id);
    const again = await guest().call('POST', '/account/recovery', { email: 'nobody@example.org', url });
    expect(again.body.userId).toBe(unknown!.body.userId);
  });

  test('no email leads to a host that is not known', async () => {
    const person = await addPerson(cluster.url);
    for (const bad of ['https://elsewhere.example/', 'javascript:alert(1)', 'https://app.test@elsewhere.example/']) {
      const asked = await person.call('POST', '/account/verification', { url: bad });
      expect(asked).toMatchObject(refusal(400, 'general_argument_invalid'));
    }
    expect(await person.call('POST', '/account/verification', { url: `${ORIGIN}/v` })).toMatchObject({ status: 201 });
  });
});

describe('targets and topics', () => {
  const target = { targetId: 'phone', identifier: 'token' };

  test('a target is deleted with its session, including its subscriptions', async () => {
    const person = await addPerson(cluster.url);
    expect(await person.call('POST', '/account/targets/push', target)).toMatchObject({ status: 201 });
    const wanted = { subscriberId: 'me', targetId: 'phone' };
    expect(await person.call('POST', '/messaging/topics/news/subscribers', wanted)).toMatchObject({
      status: 201,
      body: { target: { identifier: 'token' }, userId: person.id },
    });
    const other = await guest().signIn(person.email);
    expect((await other.call('GET', '/account')).body.targets).toHaveLength(2);
    await person.call('DELETE', '/account/sessions/current', {});
    expect((await other.call('GET', '/account')).body.targets).toHaveLength(1);
    const gone = await other.call('DELETE', '/messaging/topics/news/subscribers/me', {});
    expect(gone).toMatchObject(refusal(404, 'subscriber_not_found'));
  });

  test('a target is changed and removed by its owner only', async () => {
    const [person, other] = [await addPerson(cluster.url), await addPerson(cluster.url)];
    await person.call('POST', '/account/targets/push', target);
    const path = '/account/targets/phone/push';
    expect(await person.call('PUT', path, { identifier: 'new' })).toMatchObject({ body: { identifier: 'new' } });
    expect(await other.call('PUT', path, { identifier: 'x' })).toMatchObject(refusal(404, 'user_target_not_found'));
    expect(await other.call('DELETE', path, {})).toMatchObject(refusal(404, 'user_target_not_found'));
    expect(await person.call('DELETE', path, {})).toMatchObject({ status: 204 });
  });

  test('a topic accepts only the roles that it is for', async () => {
    const person = await addPerson(cluster.url);
    await person.call('POST', '/account/targets/push', target);
    const wanted = { subscriberId: 'me', targetId: 'phone' };
    const staff = await person.call('POST', '/messaging/topics/staff/subscribers', wanted);
    expect(staff).toMatchObject(refusal(401, 'user_unauthorized'));
  });
});

function codeTo(email: string): string | undefined {
  const received = smtp.emails.filter((message) => message.to.includes(email));
  return received
    .map((message) => /^\d{6}\r?$/m.exec(plainOf(message))?.[0]?.trim())
    .findLast((code) => code !== undefined);
}

async function addGuarded(): Promise<{ person: AppwritePerson; code: () => string; paper: string[] }> {
  const person = await addPerson(cluster.url);
  const { body: made } = await person.call('POST', '/account/mfa/authenticators/totp', {});
  const code = makeApp(made.secret, now);
  const confirmed = await person.call('PUT', '/account/mfa/authenticators/totp', { otp: code() });
  expect(confirmed).toMatchObject({ status: 200 });
  const { body } = await person.call('POST', '/account/mfa/recovery-codes', {});
  expect(await person.call('PATCH', '/account/mfa', { mfa: true })).toMatchObject({ body: { mfa: true } });
  return { person, code, paper: body.recoveryCodes };
}

async function give(client: AppwriteClient, factor: string, otp: string) {
  const { body } = await client.call('POST', '/account/mfa/challenges', { factor });
  return client.call('PUT', '/account/mfa/challenges', { challengeId: body.$id, otp });
}

describe('second factors', () => {
  test('a session without its second factor can only give it or end, also through a JWT', async () => {
    const { person, code } = await addGuarded();
    const half = await guest().signIn(person.email);
    for (const [method, path] of [
      ['GET', '/account'],
      ['POST', '/account/jwts'],
      ['PATCH', '/account/mfa'],
      ['POST', '/account/targets/push'],
      ['GET', '/account/mfa/recovery-codes'],
      ['DELETE', '/account/mfa/authenticators/totp'],
    ] as const) {
      const sent = method === 'GET' ? undefined : {};
      expect(await half.call(method, path, sent)).toMatchObject(refusal(401, 'user_more_factors_required'));
    }
    expect(await half.call('GET', '/account/mfa/factors')).toMatchObject({
      body: { totp: true, email: false, recoveryCode: true, phone: false },
    });
    expect(await give(half, 'totp', code())).toMatchObject({ status: 200, body: { factors: ['password', 'totp'] } });
    expect(await half.call('GET', '/account')).toMatchObject({ status: 200 });
  });

  test('a challenge is bound to its session, and a code works once', async () => {
    const { person, code } = await addGuarded();
    const [one, other] = [await guest().signIn(person.email), await guest().signIn(person.email)];
    const { body } = await one.call('POST', '/account/mfa/challenges', { factor: 'totp' });
    const otp = code();
    const foreign = await other.call('PUT', '/account/mfa/challenges', { challengeId: body.$id, otp });
    expect(foreign).toMatchObject(refusal(401, 'user_invalid_token'));
    const given = await one.call('PUT', '/account/mfa/challenges', { challengeId: body.$id, otp });
    expect(given).toMatchObject({ status: 200 });
    expect(await give(other, 'totp', otp)).toMatchObject(refusal(401, 'user_invalid_token'));
  });

  test('a recovery code works once, and the list shows only unused ones', async () => {
    const { person, paper } = await addGuarded();
    const half = await guest().signIn(person.email);
    expect(await give(half, 'recoverycode', paper[0]!)).toMatchObject({
      status: 200,
      body: { factors: ['password', 'recoveryCode'] },
    });
    const shown = await half.call('GET', '/account/mfa/recovery-codes');
    expect(shown.body.recoveryCodes.toSorted()).toEqual(paper.slice(1).toSorted());
    const another = await guest().signIn(person.email);
    expect(await give(another, 'recoverycode', paper[0]!)).toMatchObject(refusal(401, 'user_invalid_token'));
    expect(await resealFactors(cluster.ctx)).toBeGreaterThanOrEqual(6);
    expect((await half.call('GET', '/account/mfa/recovery-codes')).body).toEqual(shown.body);
  });

  test('another challenge is required after half an hour', async () => {
    const { person, code } = await addGuarded();
    expect(await give(person, 'totp', code())).toMatchObject({ status: 200 });
    expect(await person.call('GET', '/account/mfa/recovery-codes')).toMatchObject({ status: 200 });
    ahead += 31 * 60_000;
    const off = await person.call('PATCH', '/account/mfa', { mfa: false });
    expect(off).toMatchObject(refusal(401, 'user_challenge_required'));
    const late = await person.call('DELETE', '/account/mfa/authenticators/totp', {});
    expect(late).toMatchObject(refusal(401, 'user_challenge_required'));
    expect(await give(person, 'totp', code())).toMatchObject({ status: 200 });
    expect(await person.call('PATCH', '/account/mfa', { mfa: true })).toMatchObject({ status: 200 });
    expect(await person.call('DELETE', '/account/mfa/authenticators/totp', {})).toMatchObject({ status: 204 });
    expect(await (await guest().signIn(person.email)).call('GET', '/account')).toMatchObject({ status: 200 });
  });

  test('a session without a factor in the last half hour cannot change factors', async () => {
    const person = await addPerson(cluster.url);
    ahead += 31 * 60_000;
    const required = refusal(401, 'user_challenge_required');
    for (const mfa of [true, false])
      expect(await person.call('PATCH', '/account/mfa', { mfa })).toMatchObject(required);
    expect(await person.call('POST', '/account/mfa/authenticators/totp', {})).toMatchObject(required);
    const confirmed = await person.call('PUT', '/account/mfa/authenticators/totp', { otp: '000000' });
    expect(confirmed).toMatchObject(required);
    expect(await person.call('POST', '/account/mfa/recovery-codes', {})).toMatchObject(required);
    const again = await guest().signIn(person.email);
    expect(await again.call('PATCH', '/account/mfa', { mfa: true })).toMatchObject({ status: 200 });
  });

  test('a verified address gets codes by email, each with five tries', async () => {
    const person = await addPerson(cluster.url);
    await person.call('POST', '/account/verification', { url: 'https://app.test/v' });
    const { searchParams } = await readEmail(smtp, person.email);
    await guest().call('PUT', '/account/verification', {
      userId: searchParams.get('userId'),
      secret: searchParams.get('secret'),
    });
    await person.call('PATCH', '/account/mfa', { mfa: true });
    const half = await guest().signIn(person.email);
    const { body } = await half.call('POST', '/account/mfa/challenges', { factor: 'email' });
    await expect.poll(() => codeTo(person.email)).toBeDefined();
    const right = codeTo(person.email)!;
    const answer = (otp: string) => half.call('PUT', '/account/mfa/challenges', { challengeId: body.$id, otp });
    const wrong = right === '000000' ? '111111' : '000000';
    for (let n = 0; n < 5; n += 1) expect(await answer(wrong)).toMatchObject({ status: 401 });
    expect(await answer(right)).toMatchObject(refusal(401, 'user_invalid_token'));
  });

  test('a product user manages their factors in the product', async () => {
    const own = await addProductPerson(cluster);
    const tried = await own.call('POST', '/account/mfa/authenticators/totp', {});
    expect(tried).toMatchObject(refusal(401, 'general_unauthorized_scope'));
  });
});

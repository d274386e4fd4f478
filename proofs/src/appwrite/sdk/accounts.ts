import { Account, AppwriteException, ID } from 'appwrite';
import { expect, PASSWORD, raw, refused, same, secretOf, signIn } from './fixture.ts';
import type { Assertion } from './fixture.ts';
import { PROJECT } from './service-definition.ts';

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00$/;
const ARGUMENT = 'general_argument_invalid';
const newEmail = (): string => `${ID.unique()}@example.org`;

export const ACCOUNTS: Assertion[] = [
  {
    number: 8,
    async run({ guest, last }) {
      const [userId, email] = [ID.unique(), newEmail()];
      const user = await guest.account.create({ userId, email: email.toUpperCase(), password: PASSWORD, name: 'A' });
      same(last().status, 201, 'status');
      same([user.$id, user.email, user.name], [userId, email, 'A'], 'id, address and name');
      same([user.emailVerification, user.status, user.mfa], [false, true, false], 'states');
      same([user.prefs, user.labels], [{}, []], 'preferences and labels');
      for (const time of [user.$createdAt, user.$updatedAt, user.registration, user.accessedAt]) {
        expect(TIME.test(time), `a time: ${time}`);
      }
      same([user.targets[0]?.providerType, user.targets[0]?.identifier], ['email', email], 'first target');
      expect(!('password' in user) && !('hash' in user), 'no password');
    },
  },
  {
    number: 9,
    async run({ guest, alice }) {
      const { account } = guest;
      const again = { userId: ID.unique(), email: alice.email, password: PASSWORD };
      await refused(() => account.create(again), 409, 'user_already_exists');
      const sameId = { userId: alice.user.$id, email: newEmail(), password: PASSWORD };
      await refused(() => account.create(sameId), 409, 'user_already_exists');
      // Neither refusal has taken the address: it can still be registered.
      await account.create({ userId: ID.unique(), email: sameId.email, password: PASSWORD });
    },
  },
  {
    number: 10,
    async run({ guest }) {
      const create = (password: string) => guest.account.create({ userId: ID.unique(), email: newEmail(), password });
      const error = await refused(() => create('abc'), 400, ARGUMENT);
      expect(error.message.includes('password'), 'the message names the password');
      await create('abcd');
    },
  },
  {
    number: 11,
    async run({ guest }) {
      const create = (userId: string, email: string) => guest.account.create({ userId, email, password: PASSWORD });
      await refused(() => create(ID.unique(), 'nobody'), 400, ARGUMENT);
      for (const id of ['_x', '-x', '.x', 'a b', '', 'a'.repeat(37)]) {
        await refused(() => create(id, newEmail()), 400, ARGUMENT);
      }
    },
  },
  {
    number: 12,
    async run({ guest, made }) {
      const before = made();
      let thrown: unknown;
      try {
        void guest.account.create({ userId: 'x', email: 'a@b.c' } as never);
      } catch (error) {
        thrown = error;
      }
      expect(thrown instanceof AppwriteException, 'thrown at once');
      same([thrown.message, thrown.code], ['Missing required parameter: "password"', 0], 'what is thrown');
      same(made(), before, 'requests');
    },
  },
  {
    number: 13,
    async run({ guest }) {
      const user = await guest.account.create({ userId: 'unique()', email: newEmail(), password: PASSWORD });
      expect(/^[A-Za-z0-9][A-Za-z0-9._-]{0,35}$/.test(user.$id) && user.$id !== 'unique()', `an id: ${user.$id}`);
      expect(/^[0-9a-f]{20}$/.test(ID.unique()), 'twenty digits');
    },
  },
  {
    number: 14,
    async run({ guest, alice }) {
      const enter = (email: string) => () => guest.account.createEmailPasswordSession({ email, password: 'wrong one' });
      const one = await refused(enter(alice.email), 401, 'user_invalid_credentials');
      const other = await refused(enter(newEmail()), 401, 'user_invalid_credentials');
      same(one.message, other.message, 'messages');
    },
  },
  {
    number: 15,
    async run({ makeClient, alice, last }) {
      const { email } = alice;
      const session = await new Account(makeClient()).createEmailPasswordSession({ email, password: PASSWORD });
      same(last().status, 201, 'status');
      same([session.provider, session.providerUid, session.current], ['email', email, true], 'session');
      same([session.factors, session.secret], [['password'], ''], 'factors and secret');
      const cookies = last().headers.getSetCookie();
      same(cookies.length, 2, 'cookies');
      for (const cookie of cookies) expect(/; Path=\/(;|$)/.test(cookie) && cookie.includes('HttpOnly'), cookie);
      expect(secretOf(last()).length > 40, 'the fallback has the secret');
    },
  },
  {
    number: 16,
    async run({ guest }) {
      const error = await refused(() => guest.account.get(), 401, 'general_unauthorized_scope');
      expect(error.message.includes('guests'), 'the message mentions guests');
    },
  },
  {
    number: 17,
    async run(fixture) {
      const { secret, user } = fixture.alice;
      const name = `a_session_${PROJECT}`;
      const ways = [
        { 'x-appwrite-session': secret },
        { cookie: `${name}=${secret}` },
        { cookie: `${name}_legacy=${secret}` },
        { 'x-fallback-cookies': JSON.stringify({ [name]: secret }) },
      ];
      for (const headers of ways) {
        const reply = await raw(fixture, '/account', { headers: headers as Record<string, string> });
        same(((await reply.json()) as { $id: string }).$id, user.$id, Object.keys(headers)[0]!);
      }
      for (const fallback of ['[]', 'null', '{}', '"x"', '{']) {
        same((await raw(fixture, '/account', { headers: { 'x-fallback-cookies': fallback } })).status, 401, fallback);
      }
    },
  },
  {
    number: 18,
    async run({ alice }) {
      const { email, password } = alice;
      const again = () => alice.account.createEmailPasswordSession({ email, password });
      await refused(again, 401, 'user_session_already_exists');
    },
  },
  {
    number: 19,
    async run({ alice }) {
      const { total, sessions } = await alice.account.listSessions();
      same(total, sessions.length, 'total');
      same(sessions.filter(({ current }) => current).length, 1, 'current ones');
      const current = await alice.account.getSession({ sessionId: 'current' });
      expect(current.current && sessions.some(({ $id }) => $id === current.$id), 'the current one is listed');
      await refused(() => alice.account.getSession({ sessionId: 'nope' }), 404, 'user_session_not_found');
    },
  },
  {
    number: 20,
    async run({ alice }) {
      const before = await alice.account.getSession({ sessionId: 'current' });
      const after = await alice.account.updateSession({ sessionId: 'current' });
      expect(Date.parse(after.expire) > Date.parse(before.expire), 'it ends later');
    },
  },
  {
    number: 21,
    async run(fixture) {
      const account = await signIn(fixture, fixture.bob.email);
      const answer = await account.deleteSession({ sessionId: 'current' });
      same(fixture.last().status, 204, 'status');
      same(answer, { message: '' }, 'result');
      same(fixture.last().headers.get('x-fallback-cookies'), '[]', 'the fallback is emptied');
      await refused(() => account.get(), 401, 'general_unauthorized_scope');
    },
  },
  {
    number: 22,
    async run(fixture) {
      const person = await fixture.addPerson();
      const other = await signIn(fixture, person.email);
      await other.deleteSessions();
      for (const account of [other, person.account]) {
        await refused(() => account.get(), 401, 'general_unauthorized_scope');
      }
    },
  },
  {
    number: 76,
    async run(fixture) {
      const { account, email } = await fixture.addPerson();
      const other = await signIn(fixture, email);
      await refused(
        () => account.updatePassword({ password: 'battery staple', oldPassword: 'wrong one' }),
        401,
        'user_invalid_credentials',
      );
      const user = await account.updatePassword({ password: 'battery staple', oldPassword: PASSWORD });
      same([fixture.last().status, user.email], [200, email], 'the user');
      await refused(() => other.get(), 401, 'general_unauthorized_scope');
      const entering = new Account(fixture.makeClient());
      await refused(
        () => entering.createEmailPasswordSession({ email, password: PASSWORD }),
        401,
        'user_invalid_credentials',
      );
      await entering.createEmailPasswordSession({ email, password: 'battery staple' });
    },
  },
  {
    number: 77,
    async run(fixture) {
      const [{ account }, email] = [await fixture.addPerson(), newEmail()];
      const change = (wanted: string, password = PASSWORD) => account.updateEmail({ email: wanted, password });
      await refused(() => change(email, 'wrong one'), 401, 'user_invalid_credentials');
      await refused(() => change(fixture.bob.email), 400, 'general_bad_request');
      const user = await change(email);
      same([user.email, user.emailVerification], [email, false], 'address and state');
      await signIn(fixture, email);
    },
  },
  {
    number: 78,
    async run(fixture) {
      const { account, email } = await fixture.addPerson();
      same((await account.updateStatus()).status, false, 'status');
      await refused(() => account.get(), 401, 'general_unauthorized_scope');
      const entering = new Account(fixture.makeClient());
      const enter = () => entering.createEmailPasswordSession({ email, password: PASSWORD });
      await refused(enter, 403, 'user_blocked');
    },
  },
];

/** These run last because they exhaust rate limits that other assertions need. */
export const LIMITS: Assertion[] = [
  {
    number: 74,
    async run(fixture) {
      const { email } = await fixture.addPerson();
      const account = new Account(fixture.makeClient());
      const enter = (password: string) => account.createEmailPasswordSession({ email, password });
      for (let n = 0; n < 10; n += 1) await refused(() => enter('wrong one'), 401, 'user_invalid_credentials');
      const { headers } = fixture.last();
      same([headers.get('x-ratelimit-limit'), headers.get('x-ratelimit-remaining')], ['10', '0'], 'limit');
      expect(Number(headers.get('x-ratelimit-reset')) > Date.now() / 1000, 'reset lies ahead');
      await refused(() => enter(PASSWORD), 429, 'general_rate_limit_exceeded');
    },
  },
];

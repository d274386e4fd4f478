import { ID } from 'appwrite';
import { expect, raw, refused, same, signIn } from './fixture.ts';
import type { Assertion, Person, Fixture } from './fixture.ts';

const PAGE = 'https://app.test/verify?lang=kk';
const TOKEN = 'user_invalid_token';

interface Brought {
  userId: string;
  secret: string;
}

/** The link of the newest email, once there are `count`. */
async function linkTo({ inbox }: Fixture, { email }: Person, count = 1): Promise<URL> {
  const { text } = await inbox.waitForEmail(email, count);
  return new URL(/https:\/\/app\.test\/\S+/.exec(text)?.[0] ?? '');
}

function broughtBy(link: URL): Brought {
  return { userId: link.searchParams.get('userId') ?? '', secret: link.searchParams.get('secret') ?? '' };
}

export const EMAILS: Assertion[] = [
  {
    number: 24,
    async run(fixture) {
      const { guest, last } = fixture;
      const person = await fixture.addPerson();
      const token = await person.account.createEmailVerification({ url: PAGE });
      same([last().status, token.secret, token.userId], [201, '', person.user.$id], 'token');
      const link = await linkTo(fixture, person);
      same(link.searchParams.get('lang'), 'kk', 'its own query');
      const brought = broughtBy(link);
      same(brought.userId, person.user.$id, 'the account that it names');
      await guest.account.updateEmailVerification(brought);
      same(last().status, 200, 'status');
      same((await person.account.get()).emailVerification, true, 'verified');
      await refused(() => guest.account.updateEmailVerification(brought), 401, TOKEN);
      const again = () => person.account.createEmailVerification({ url: PAGE });
      await refused(again, 409, 'user_email_already_verified');
      const unknown = { ...brought, userId: ID.unique() };
      await refused(() => guest.account.updateEmailVerification(unknown), 404, 'user_not_found');
    },
  },
  {
    number: 25,
    async run(fixture) {
      const person = await fixture.addPerson();
      const send = (method: string, body: object, by?: Person) =>
        raw(
          fixture,
          '/account/verification',
          { method, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) },
          by,
        );
      same((await send('POST', { url: PAGE }, person)).status, 201, 'asked for');
      same((await send('PUT', broughtBy(await linkTo(fixture, person)))).status, 200, 'brought');
      same((await person.account.get()).emailVerification, true, 'verified');
    },
  },
  {
    number: 26,
    async run({ alice, guest }) {
      const url = 'https://elsewhere.example/verify';
      await refused(() => alice.account.createEmailVerification({ url }), 400, 'general_argument_invalid');
      await refused(() => guest.account.createRecovery({ email: alice.email, url }), 400, 'general_argument_invalid');
    },
  },
  {
    number: 27,
    async run(fixture) {
      const { guest, last } = fixture;
      const person = await fixture.addPerson();
      const token = await guest.account.createRecovery({ email: person.email, url: PAGE });
      same([last().status, token.secret], [201, ''], 'token');
      const brought = broughtBy(await linkTo(fixture, person));
      const password = 'another horse';
      await refused(() => guest.account.updateRecovery({ ...brought, secret: 'x', password }), 401, TOKEN);
      await guest.account.updateRecovery({ ...brought, password });
      await refused(() => signIn(fixture, person.email), 401, 'user_invalid_credentials');
      const account = await signIn(fixture, person.email, password);
      expect((await account.get()).emailVerification, 'the recovery link verifies the address');
      // The password change ended earlier sessions.
      await refused(() => person.account.get(), 401, 'general_unauthorized_scope');
      await refused(() => guest.account.updateRecovery({ ...brought, password }), 401, TOKEN);
    },
  },
];

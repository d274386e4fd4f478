import { Account } from 'appwrite';
import { refused, same } from './fixture.ts';
import type { Assertion } from './fixture.ts';

export const JWTS: Assertion[] = [
  {
    number: 23,
    async run({ makeClient, alice, last }) {
      const { jwt } = await alice.account.createJWT();
      same(last().status, 201, 'status');
      const account = new Account(makeClient().setJWT(jwt));
      same((await account.get()).$id, alice.user.$id, 'the account that it acts for');
      await refused(() => account.createJWT(), 403, 'user_jwt_creation_denied');
      const both = new Account(makeClient().setJWT(jwt).setSession(alice.secret));
      await refused(() => both.get(), 403, 'user_jwt_and_cookie_set');
      await refused(() => new Account(makeClient().setJWT('made.up.one')).get(), 401, 'user_jwt_invalid');
    },
  },
];

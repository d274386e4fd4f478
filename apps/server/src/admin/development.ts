/** Shortcuts of a development stack. They sign in without a password, so each is a deed like any other. */
import { AccountId } from '@dostar/protocol/ids';
import { z } from 'zod';
import type { Context } from '../context.ts';
import { createAccount } from '../features/accounts/service.ts';
import { setContact } from '../features/contacts/service.ts';
import { startSession } from '../features/sessions/service.ts';
import { define } from './command.ts';

/** The two that every development stack knows. Their last digits put them on different shards. */
const SEEDED = {
  alice: AccountId.parse('a11ce000-0000-4000-8000-000000000000'),
  bob: AccountId.parse('b0b00000-0000-4000-8000-000000000001'),
};

const Person = z.union([z.enum(['alice', 'bob']).transform((name) => SEEDED[name]), AccountId]);

export const developmentCommands = [
  define({
    usage: 'seed',
    help: 'make Alice and Bob, who know each other (development)',
    args: z.tuple([]),
    deed: 'words',
    async run(ctx) {
      await createAccount(ctx, SEEDED.alice);
      await createAccount(ctx, SEEDED.bob);
      await setContact(ctx, SEEDED.alice, SEEDED.bob, 'accepted');
      await setContact(ctx, SEEDED.bob, SEEDED.alice, 'accepted');
      return 'Alice and Bob are here';
    },
  }),
  define({
    usage: 'session alice|bob|ACCOUNT',
    help: 'sign a new device in and print its token (development)',
    args: z.tuple([Person]),
    deed: 'name',
    async run(ctx, [account], { about }) {
      await about(account);
      const { token } = await startSession(ctx, account);
      return token;
    },
  }),
  define({
    usage: 'walk [ORIGIN]',
    help: 'sign Alice and Bob in and print a link for each to the walking message (development)',
    args: z.tuple([z.url()]).or(z.tuple([]).transform((): [string] => ['http://localhost:5173'])),
    deed: 'words',
    async run(ctx, [origin]) {
      const { alice, bob } = SEEDED;
      return `Alice  ${await walkLink(ctx, origin, alice, bob)}\nBob    ${await walkLink(ctx, origin, bob, alice)}`;
    },
  }),
];

/** The token stands in the fragment, which a browser sends to nobody. */
async function walkLink(ctx: Context, origin: string, me: AccountId, peer: AccountId): Promise<string> {
  const { token } = await startSession(ctx, me);
  const link = new URL('/walk', origin);
  link.hash = new URLSearchParams({ me, peer, token }).toString();
  return link.href;
}

/** Shortcuts of a development stack. They sign in without a password, so an installation refuses them. */
import { AccountId } from '@dostar/protocol/ids';
import { z } from 'zod';
import { createAccount } from '../features/identity/accounts/service.ts';
import { setContact } from '../features/people/contacts/service.ts';
import { startSession } from '../features/identity/sessions/service.ts';
import type { Context } from '../context.ts';
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
    help: 'create Alice and Bob, who are contacts (development)',
    args: z.tuple([]),
    audit: 'words',
    async run(ctx) {
      requireDevelopment(ctx);
      await createAccount(ctx, SEEDED.alice);
      await createAccount(ctx, SEEDED.bob);
      await setContact(ctx, SEEDED.alice, SEEDED.bob, 'accepted');
      await setContact(ctx, SEEDED.bob, SEEDED.alice, 'accepted');
      return 'Alice and Bob are here';
    },
  }),
  define({
    usage: 'session alice|bob|ACCOUNT',
    help: 'sign in a new device and print its token (development)',
    args: z.tuple([Person]),
    audit: 'name',
    async run(ctx, [account], { about }) {
      requireDevelopment(ctx);
      await about(account);
      const { token } = await startSession(ctx, account);
      return token;
    },
  }),
];

/** An installation has an address that other machines reach. */
function requireDevelopment({ origins }: Context): void {
  const isLocal = origins.every((origin) => ['localhost', '127.0.0.1', '[::1]'].includes(new URL(origin).hostname));
  if (!isLocal) throw new Error('this command is for development: every address of ORIGIN must be on this machine');
}

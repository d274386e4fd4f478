/** A command for development. It signs in without a password, so it refuses to run in an installation. */
import { AccountId } from '@dostar/protocol/ids';
import { z } from 'zod';
import { startSession } from '../features/identity/sessions/service.ts';
import type { Context } from '../context.ts';
import { define } from './command.ts';

export const developmentCommands = [
  define({
    usage: 'session ACCOUNT',
    help: 'sign a new device in and print its token (development)',
    args: z.tuple([AccountId]),
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

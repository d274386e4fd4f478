/** Invites of the operator. */
import { parseArgs } from 'node:util';
import { Email } from '@dostar/protocol/contract/accounts';
import { z } from 'zod';
import {
  createOperatorInvite,
  listOperatorInvites,
  revokeOperatorInvite,
} from '../features/identity/sign-up-invites/service.ts';
import type { OperatorInvite } from '../features/identity/sign-up-invites/service.ts';
import { isAllowedDomain } from '../features/identity/sign-ups/service.ts';
import { define, oneLine } from './command.ts';

const OPTIONS = {
  email: { type: 'string' },
  uses: { type: 'string', default: '1' },
  days: { type: 'string', default: '7' },
  note: { type: 'string' },
} as const;

const Wanted = z.object({
  email: Email.optional(),
  uses: z.coerce.number().int().min(1).max(10_000),
  days: z.coerce.number().int().min(1).max(365),
  note: z.string().max(200).optional(),
});

const Args = z.array(z.string()).transform((args, context): [z.infer<typeof Wanted>] => {
  const parsed = Wanted.safeParse(readOptions(args));
  if (parsed.success) return [parsed.data];
  context.addIssue({ code: 'custom', message: z.prettifyError(parsed.error) });
  return z.NEVER;
});

/** Undefined for options that the command does not have. */
function readOptions(args: string[]): unknown {
  try {
    return parseArgs({ args, options: OPTIONS }).values;
  } catch {
    return undefined;
  }
}

export const inviteCommands = [
  define({
    usage: 'invite [--email EMAIL] [--uses N] [--days N] [--note TEXT]',
    help: 'print a link that lets people sign up, once and for 7 days unless you say otherwise; the note is for you',
    args: Args,
    audit: ([{ uses, days }]) => `--uses ${uses} --days ${days}`,
    async run(ctx, [{ email, note, uses, days }]) {
      if (email !== undefined && !isAllowedDomain(ctx, email)) throw new Error('SIGN_UP_DOMAINS refuses that address');
      return createOperatorInvite(ctx, { email, note, uses, days });
    },
  }),
  define({
    usage: 'invites',
    help: 'list the invites of the operator: id, expiry, uses left, email, note',
    args: z.tuple([]),
    audit: 'words',
    async run(ctx) {
      const invites = await listOperatorInvites(ctx);
      return invites.length === 0 ? 'no invites' : invites.map(describeInvite).join('\n');
    },
  }),
  define({
    usage: 'invites revoke INVITE',
    help: 'revoke an invite of the operator; takes the id that "invites" prints',
    args: z.tuple([z.uuid()]),
    audit: 'words',
    async run(ctx, [id]) {
      if (!(await revokeOperatorInvite(ctx, id))) throw new Error('no invite has that id');
      return 'revoked';
    },
  }),
];

function describeInvite({ id, expiresAt, uses, usesLeft, email, note }: OperatorInvite): string {
  const limits = `until ${new Date(expiresAt).toISOString()}  ${usesLeft} of ${uses} left`;
  return [id, limits, email, note && oneLine(note)].filter((part) => part !== null).join('  ');
}

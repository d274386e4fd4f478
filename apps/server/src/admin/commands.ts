import { AccountId } from '@dostar/protocol/ids';
import { z } from 'zod';
import type { Context } from '../context.ts';
import { createAccount } from '../features/accounts/service.ts';
import { setContact } from '../features/contacts/service.ts';
import { raiseEpoch } from '../features/mailbox/service.ts';
import { moveBucket } from '../features/placement/service.ts';
import { startSession } from '../features/sessions/service.ts';
import { BUCKETS } from '../platform/placement.ts';
import { migrateAll } from './migrate-all.ts';

interface Command {
  usage: string;
  help: string;
  run: (ctx: Context, args: string[]) => Promise<string>;
}

/** The two that every development stack knows. Their last digits put them on different shards. */
const SEEDED = {
  alice: AccountId.parse('a11ce000-0000-4000-8000-000000000000'),
  bob: AccountId.parse('b0b00000-0000-4000-8000-000000000001'),
};

const Person = z.union([z.enum(['alice', 'bob']).transform((name) => SEEDED[name]), AccountId]);
const Bucket = z.coerce
  .number()
  .int()
  .min(0)
  .max(BUCKETS - 1);
const ShardId = z.coerce.number().int().min(0);

const COMMANDS: Record<string, Command> = {
  migrate: {
    usage: 'migrate',
    help: 'bring the directory and every shard to the newest schema',
    async run(ctx) {
      const steps = await migrateAll(ctx);
      return `${steps} migrations carried out`;
    },
  },
  seed: {
    usage: 'seed',
    help: 'make Alice and Bob, who know each other',
    async run(ctx) {
      await ctx.placement.reload();
      await createAccount(ctx, SEEDED.alice);
      await createAccount(ctx, SEEDED.bob);
      await setContact(ctx, SEEDED.alice, SEEDED.bob, 'accepted');
      await setContact(ctx, SEEDED.bob, SEEDED.alice, 'accepted');
      return 'Alice and Bob are here';
    },
  },
  session: {
    usage: 'session alice|bob|ACCOUNT',
    help: 'sign a new device in and print its token',
    async run(ctx, [who]) {
      await ctx.placement.reload();
      const { token } = await startSession(ctx, Person.parse(who));
      return token;
    },
  },
  walk: {
    usage: 'walk [ORIGIN]',
    help: 'sign Alice and Bob in and print a link for each to the walking message',
    async run(ctx, [origin = 'http://localhost:5173']) {
      await ctx.placement.reload();
      const { alice, bob } = SEEDED;
      return `Alice  ${await walkLink(ctx, origin, alice, bob)}\nBob    ${await walkLink(ctx, origin, bob, alice)}`;
    },
  },
  'move-bucket': {
    usage: 'move-bucket BUCKET SHARD',
    help: 'move a bucket to a shard while the system runs',
    async run(ctx, [bucket, shard]) {
      await ctx.placement.reload();
      const { from, to, accounts, pauseMs } = await moveBucket(ctx, Bucket.parse(bucket), ShardId.parse(shard));
      return `bucket ${bucket}: ${accounts} accounts from shard ${from} to ${to}, paused for ${pauseMs} ms`;
    },
  },
  'raise-epoch': {
    usage: 'raise-epoch SHARD',
    help: 'after a restore: make every device of the shard read again and offer its own sends again',
    async run(ctx, [shard]) {
      const mailboxes = await raiseEpoch(ctx, ShardId.parse(shard));
      return `${mailboxes} mailboxes begin a new epoch`;
    },
  },
};

/** The token stands in the fragment, which a browser sends to nobody. */
async function walkLink(ctx: Context, origin: string, me: AccountId, peer: AccountId): Promise<string> {
  const { token } = await startSession(ctx, me);
  const link = new URL('/walk', origin);
  link.hash = new URLSearchParams({ me, peer, token }).toString();
  return link.href;
}

export function findCommand(name: string): Command | undefined {
  return COMMANDS[name];
}

export function listCommands(): string {
  return Object.values(COMMANDS)
    .map(({ usage, help }) => `  ${usage.padEnd(30)} ${help}`)
    .join('\n');
}

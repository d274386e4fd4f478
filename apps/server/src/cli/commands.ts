import { productVersion } from '@dostar/protocol/product';
import { z } from 'zod';
import { listNewestAuditEntries } from '../features/operations/audit-log/service.ts';
import { resealFactors } from '../features/identity/second-factors/service.ts';
import { repairRestoredShard } from '../features/messaging/mailbox/restore-repair.ts';
import { moveBucket } from '../features/operations/sharding/service.ts';
import { announce } from '../roles/operator.ts';
import { BUCKETS } from '../platform/postgres/placement.ts';
import { createVapidKey } from '../platform/delivery/web-push.ts';
import { accountCommands } from './accounts.ts';
import { consoleCommands } from './console.ts';
import { define, defineStandalone, defineForOwner, nameOf, oneLine } from './command.ts';
import type { Command } from './command.ts';
import { developmentCommands } from './development.ts';
import { reportHealth } from './doctor/run-checks.ts';
import { inviteCommands } from './invites.ts';
import { migrateAll } from './migrate-all.ts';
import { reportCommands } from './reports.ts';
import { rotateCommands } from './rotate.ts';
import { assistantAccountCommands } from './assistant-accounts.ts';
import { pageViewCommands } from './page-views.ts';

const Bucket = z.coerce
  .number()
  .int()
  .min(0)
  .max(BUCKETS - 1);
const ShardId = z.coerce.number().int().min(0);
const Time = z.iso.datetime({ offset: true }).transform((time) => Date.parse(time));
const Count = z.coerce.number().int().min(1).max(10_000);

const COMMANDS: Command[] = [
  // Not in the audit log: the databases record migrations themselves, and before the first one the log has no table.
  defineForOwner({
    usage: 'migrate',
    help: 'migrate the directory and every shard to the newest schema',
    run: async (databases) => `${await migrateAll(databases)} migrations applied`,
  }),
  defineStandalone({
    usage: 'doctor',
    help: 'check settings, address, databases, NATS, files, email, push and clock, and say how to fix what is wrong',
    run: reportHealth,
  }),
  defineStandalone({
    usage: 'version',
    help: 'print the version',
    run: async () => ({ code: 0, out: productVersion }),
  }),
  ...consoleCommands,
  ...accountCommands,
  ...inviteCommands,
  ...reportCommands,
  define({
    usage: 'announce TOPIC TEXT',
    help: 'push a text to all subscribers of a topic in APPWRITE_CONFIG_FILE',
    args: z.tuple([z.string().min(1), z.string().min(1)], z.string()),
    audit: 'words',
    async run(ctx, [topic, ...words]) {
      await announce(ctx, topic, words.join(' '));
      return 'queued';
    },
  }),
  define({
    usage: 'move-bucket BUCKET SHARD',
    help: 'move a bucket to a shard without downtime',
    args: z.tuple([Bucket, ShardId]),
    audit: 'words',
    async run(ctx, [bucket, shard]) {
      const { from, to, accounts, pauseMs } = await moveBucket(ctx, bucket, shard);
      return `bucket ${bucket}: ${accounts} accounts from shard ${from} to ${to}, paused for ${pauseMs} ms`;
    },
  }),
  define({
    usage: 'raise-epoch SHARD [SINCE]',
    help: 'after restoring a shard: make devices sync again and copy back what other shards have (SINCE in ISO 8601)',
    args: z
      .tuple([ShardId, Time])
      .or(z.tuple([ShardId]).transform(([shard]): [number, undefined] => [shard, undefined])),
    audit: 'words',
    async run(ctx, [shard, since]) {
      const healed = await repairRestoredShard(ctx, shard, since);
      const from = new Date(healed.since).toISOString();
      return `${healed.mailboxes} mailboxes begin a new epoch\n${healed.pending} copies pending since ${from}, ${healed.made} made`;
    },
  }),
  ...rotateCommands,
  define({
    usage: 'reseal',
    help: 'encrypt second factors with the newest SECRET_KEY; part of "rotate secret-key finish"',
    args: z.tuple([]),
    audit: 'words',
    run: async (ctx) => `${await resealFactors(ctx)} second factors encrypted again`,
  }),
  defineStandalone({
    usage: 'vapid',
    help: 'print a new VAPID_KEY',
    run: async () => ({ code: 0, out: createVapidKey() }),
  }),
  define({
    usage: 'audit-log [COUNT]',
    help: 'show the newest operator commands: time, operator, outcome, command, account',
    args: z.tuple([Count]).or(z.tuple([]).transform((): [number] => [50])),
    async run(ctx, [count]) {
      const entries = await listNewestAuditEntries(ctx, count);
      if (entries.length === 0) return 'no entries';
      return entries
        .map(({ at, operator, words, subject, outcome }) =>
          [new Date(at).toISOString(), operator, outcome, oneLine(words), subject ?? ''].join('  ').trimEnd(),
        )
        .join('\n');
    },
  }),
  ...pageViewCommands,
  ...assistantAccountCommands,
  ...developmentCommands,
];

/** Old names of commands, accepted with a warning until 0.3. */
const RENAMED: Record<string, string> = { deeds: 'audit-log' };

/** The new name if `word` is an old one. */
export function findNewName(word: string | undefined): string | undefined {
  return word === undefined ? undefined : RENAMED[word];
}

/** Finds a command by its first two words, or by the first. */
export function findCommand([first = '', second = '', ...rest]: string[]) {
  const long = byName(`${first} ${second}`);
  if (long) return { command: long, args: rest };
  const short = byName(findNewName(first) ?? first);
  return short && { command: short, args: second === '' && rest.length === 0 ? [] : [second, ...rest] };
}

function byName(name: string): Command | undefined {
  return COMMANDS.find((command) => nameOf(command.usage) === name);
}

/** The commands that begin with `words`; without words, all. */
export function listUsages(words: string[] = []): { usage: string; help: string }[] {
  return COMMANDS.filter(({ usage }) => words.every((word, index) => usage.split(' ')[index] === word));
}

/** The help of the same commands, a line each. */
export function listCommands(words: string[] = []): string {
  return listUsages(words)
    .map(({ usage, help }) => `  ${usage.padEnd(30)} ${help}`)
    .join('\n');
}

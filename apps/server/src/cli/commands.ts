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
import { define, defineStandalone, defineForOwner, nameOf, oneLine } from './command.ts';
import type { Command } from './command.ts';
import { developmentCommands } from './development.ts';
import { reportHealth } from './doctor/run-checks.ts';
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
    help: 'bring the directory and every shard to the newest schema',
    run: async (databases) => `${await migrateAll(databases)} migrations carried out`,
  }),
  defineStandalone({
    usage: 'doctor',
    help: 'look at settings, address, databases, NATS, files, mail, push and clock, and say what is wrong and what to do',
    run: reportHealth,
  }),
  defineStandalone({
    usage: 'version',
    help: 'print the version of this program',
    run: async () => ({ code: 0, out: productVersion }),
  }),
  ...accountCommands,
  ...reportCommands,
  define({
    usage: 'announce TOPIC TEXT',
    help: 'send a text to every push target that subscribed to a topic of APPWRITE_CONFIG_FILE',
    args: z.tuple([z.string().min(1), z.string().min(1)], z.string()),
    audit: 'words',
    async run(ctx, [topic, ...words]) {
      await announce(ctx, topic, words.join(' '));
      return 'on its way';
    },
  }),
  define({
    usage: 'move-bucket BUCKET SHARD',
    help: 'move a bucket to a shard while the system runs',
    args: z.tuple([Bucket, ShardId]),
    audit: 'words',
    async run(ctx, [bucket, shard]) {
      const { from, to, accounts, pauseMs } = await moveBucket(ctx, bucket, shard);
      return `bucket ${bucket}: ${accounts} accounts from shard ${from} to ${to}, paused for ${pauseMs} ms`;
    },
  }),
  define({
    usage: 'raise-epoch SHARD [SINCE]',
    help: 'after a restore: devices of the shard read and offer again, other shards copy what it lost (since a time in ISO 8601)',
    args: z
      .tuple([ShardId, Time])
      .or(z.tuple([ShardId]).transform(([shard]): [number, undefined] => [shard, undefined])),
    audit: 'words',
    async run(ctx, [shard, since]) {
      const healed = await repairRestoredShard(ctx, shard, since);
      const from = new Date(healed.since).toISOString();
      return `${healed.mailboxes} mailboxes begin a new epoch\n${healed.pending} copies owed since ${from}, ${healed.made} made`;
    },
  }),
  ...rotateCommands,
  define({
    usage: 'reseal',
    help: 'seal the second factors with the newest SECRET_KEY; a part of rotate secret-key finish',
    args: z.tuple([]),
    audit: 'words',
    run: async (ctx) => `${await resealFactors(ctx)} second factors sealed anew`,
  }),
  defineStandalone({
    usage: 'vapid',
    help: 'print a new VAPID_KEY, for an installation that has none',
    run: async () => ({ code: 0, out: createVapidKey() }),
  }),
  define({
    usage: 'deeds [COUNT]',
    help: 'what operators did lately: when, who, what, to whom, with what outcome',
    args: z.tuple([Count]).or(z.tuple([]).transform((): [number] => [50])),
    async run(ctx, [count]) {
      const deeds = await listNewestAuditEntries(ctx, count);
      if (deeds.length === 0) return 'no deeds';
      return deeds
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

/** By its first two words, or by the first. */
export function findCommand([first = '', second = '', ...rest]: string[]) {
  const long = byName(`${first} ${second}`);
  if (long) return { command: long, args: rest };
  const short = byName(first);
  return short && { command: short, args: second === '' && rest.length === 0 ? [] : [second, ...rest] };
}

function byName(name: string): Command | undefined {
  return COMMANDS.find((command) => nameOf(command.usage) === name);
}

/** Those that begin with `words`; all of them for none. */
export function listCommands(words: string[] = []): string {
  const listed = COMMANDS.filter(({ usage }) => words.every((word, index) => usage.split(' ')[index] === word));
  return listed.map(({ usage, help }) => `  ${usage.padEnd(30)} ${help}`).join('\n');
}

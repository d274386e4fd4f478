/**
 * The database alone: pgbench, 8 clients, prepared statements, one transaction per message.
 *
 * It does what every message needs: numbers and inserts an entry in both mailboxes, with the same body size into the
 * same table with the same indexes. It checks nothing: no repeats, no contacts, no devices, no bus.
 */
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { shardName } from '../../harness/lib/engines.ts';
import type { Engines } from '../../harness/lib/engines.ts';

const PGBENCH = '/usr/lib/postgresql/15/bin/pgbench';
const CLIENTS = 8;
const THREADS = 2;
/** Numbers of three digits, so that an owner's uuid is one concatenation. */
const FIRST = 100;
const LAST = 299;
const OWNER = '00000000-0000-4000-8000-000000000';
const CHAT = '00000000-0000-8000-8000-000000';

const run = promisify(execFile);

const MAKE_OWNERS = `
  insert into mailbox (owner) select ('${OWNER}' || n)::uuid from generate_series(${FIRST}, ${LAST}) n`;

/** Messages per second, measured over the given time. */
export type Bench = (seconds: number) => Promise<number>;

/** Uses the first shard's own database: its tables and indexes, with other owners. */
export async function prepareBench(engines: Engines, folder: string, bodyBytes: number): Promise<Bench> {
  const [shard] = engines.shards;
  const script = join(folder, 'message.sql');
  await shard!.sql(shardName(0), MAKE_OWNERS);
  await writeFile(script, describeTransaction(randomBytes(bodyBytes).toString('hex')));
  return (seconds) => runPgbench(shard!.url(shardName(0)), script, seconds);
}

/** Writes in the order of owners: otherwise the clients would deadlock. */
function describeTransaction(body: string): string {
  return [
    `\\set one random(${FIRST}, ${LAST})`,
    `\\set other random(${FIRST}, ${LAST - 1})`,
    '\\set other case when :other >= :one then :other + 1 else :other end',
    '\\set low least(:one, :other)',
    '\\set high greatest(:one, :other)',
    'begin;',
    describeNumbering('low'),
    describeInsert('low', body),
    describeNumbering('high'),
    describeInsert('high', body),
    'commit;',
    '',
  ].join('\n');
}

function describeNumbering(owner: string): string {
  return `update mailbox set last_seq = last_seq + 1 where owner = ('${OWNER}' || :${owner})::uuid returning last_seq as seq \\gset`;
}

function describeInsert(owner: string, body: string): string {
  const values = [
    `('${OWNER}' || :${owner})::uuid`,
    ':seq',
    `('${OWNER}' || :low)::uuid`,
    'gen_random_uuid()',
    `('${CHAT}' || :low || :high)::uuid`,
    '0',
    '0',
    `'\\x${body}'`,
  ];
  return `insert into log (owner, seq, sender, message_id, chat, at, to_device, body) values (${values.join(', ')});`;
}

async function runPgbench(url: string, script: string, seconds: number): Promise<number> {
  const args = ['-n', '-M', 'prepared', '-c', String(CLIENTS), '-j', String(THREADS), '-T', String(seconds)];
  const { stdout } = await run(PGBENCH, [...args, '-f', script, url], { timeout: (seconds + 30) * 1000 });
  const failed = /number of failed transactions: (\d+)/.exec(stdout)?.[1];
  const rate = /^tps = ([\d.]+)/m.exec(stdout)?.[1];
  if (failed !== '0' || rate === undefined) throw new Error(`pgbench did not run cleanly:\n${stdout}`);
  return Number(rate);
}

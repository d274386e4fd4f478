/**
 * Everything that the operator's pages name in `code` is checked: run against a running installation where possible,
 * otherwise looked up in a list of valid names.
 */
import { execFile } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { findCommand } from '../src/cli/commands.ts';
import { createMetrics } from '../src/platform/observability/metrics.ts';
import { runAdminCommand } from './run-admin-command.ts';
import { findPromtool } from './alerting.ts';
import { startTestCluster } from './test-cluster.ts';
import type { TestCluster } from './test-cluster.ts';

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, '../../..');
const RUNBOOKS = read('docs/operate/runbooks.md');
const PAGES = globSync('docs/{self-host,operate}/*.md', { cwd: ROOT }).map(read);
const SETTINGS = ['apps/server/src/config.ts', 'apps/server/src/secrets.ts', 'deploy/backup/backup.conf']
  .map(read)
  .join('\n');
const SOURCES = globSync('apps/server/src/**/*.ts', { cwd: ROOT }).map(read).join('\n');
/** Commands of the machine with their arguments. */
const MACHINE = /^(?:df -h|du|iostat -x 5|dmesg \| grep -i oom|systemctl --failed|journalctl -u dostar[a-z-]*)$/;
/** Names in the logs and settings of PostgreSQL or NATS. */
const OTHERS = [
  'slow consumer',
  'synchronous_commit',
  'synchronous_standby_names',
  '"level":50',
  'jobs_dead',
  'verify',
];
/** Sample values for placeholders. */
const SAMPLES: Record<string, string> = Object.fromEntries([
  ['BUCKET', '1'],
  ['SHARD', '0'],
  ['EMAIL', 'amadeus@example.org'],
  ['SEATS', '1'],
  ['COUNT', '5'],
  ['N', '5'],
  ['INVITE', '0b5c1d8e-8d5c-4b6c-9a54-1f4f3c6c5a03'],
  ['SINCE', '2026-11-15T20:00:00Z'],
  ['STEP', 'begin'],
  ['KEY', '0123abcd'],
  ['DAYS', '7'],
  ['WHO', 'alice'],
  ['ACCOUNT', '0b5c1d8e-8d5c-4b6c-9a54-1f4f3c6c5a01'],
  ['REPORT', '0b5c1d8e-8d5c-4b6c-9a54-1f4f3c6c5a02'],
]);

let cluster: TestCluster;
beforeAll(async () => {
  cluster = await startTestCluster({ postgresUrl: inject('postgresUrl'), natsUrl: inject('natsUrl') });
});
afterAll(() => cluster[Symbol.asyncDispose]());

function read(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}

function listCode(page: string): string[] {
  const blocks = [...page.matchAll(/^```sh\n(.*?)^```/gms)].flatMap(([, text]) => text!.split('\n'));
  const lines = blocks.map((line) => line.replace(/\s+#.*$/, '').trim()).filter((line) => line !== '');
  const spans = [...page.replaceAll(/^```.*?^```/gms, '').matchAll(/`([^`\n]+)`/g)].map(([, text]) => text!);
  return [...new Set([...lines, ...spans])];
}

/** The arguments of `admin`, or undefined for other code. Also accepts bare command names. */
function findAdmin(code: string): string[] | undefined {
  const forms = [/^(?:(?:\.\/dev|dostar) )?admin (.*)$/, /^docker compose .*admin\.ts (.*)$/];
  const words = forms.map((form) => form.exec(code)?.[1]).find((found) => found !== undefined);
  const plain = (words ?? code).replace(/ [<>] FILE$/, '').replaceAll(/[[\]]| ?…$/g, '');
  const given = plain.split(' ');
  if (words === undefined) return findCommand(given) && given;
  return plain === '' || plain === 'COMMAND' ? undefined : given;
}

/** Returns the kind of a piece of code, which decides how it is checked; undefined if it has none. */
function classify(code: string): string | undefined {
  if (MACHINE.test(code)) return 'machine';
  if (findAdmin(code) !== undefined) return 'admin';
  if (/^dostar-backup( |$|-)/.test(code)) return 'backup';
  if (/^select |^pg_stat|^pg_repl|^pg_monitor|^last_\w+_wal$/.test(code)) return 'sql';
  if (/^sum by|^dostar_/.test(code)) return 'promql';
  if (/^[A-Z][A-Z_]+$/.test(code)) return 'setting';
  if (code.startsWith('/')) return 'route';
  if (existsSync(join(ROOT, code))) return 'file';
  if (read('deploy/monitoring/alerts.yml').includes(`alert: ${code}`)) return 'alert';
  if (SOURCES.includes(`'${code}'`)) return 'said';
  return OTHERS.includes(code) ? 'others' : undefined;
}

describe('everything a runbook names', () => {
  const pieces = listCode(RUNBOOKS);
  const of = (kind: string): string[] => pieces.filter((code) => classify(code) === kind);

  test('is of a kind that is checked', () => {
    expect(pieces.length).toBeGreaterThan(40);
    expect(pieces.filter((code) => classify(code) === undefined)).toEqual([]);
  });

  test('settings exist', () => {
    expect(of('setting').filter((name) => !new RegExp(`\\b${name}\\b`).test(SETTINGS))).toEqual([]);
  });

  test('addresses answer', async () => {
    for (const path of of('route')) expect((await fetch(new URL(path, cluster.url))).status, path).toBe(200);
  });

  test.each(of('sql'))('PostgreSQL understands %s', async (code) => {
    const db = cluster.ctx.directory;
    if (code === 'pg_monitor') await sql`select pg_has_role(current_user, 'pg_monitor', 'usage')`.execute(db);
    else if (code.startsWith('last_')) await sql`select ${sql.ref(code)} from pg_stat_archiver`.execute(db);
    else await sql.raw(code.startsWith('select ') ? code : `select * from ${code}`).execute(db);
  });

  test('PromQL is valid, over metrics that a server exposes', async () => {
    const shown = createMetrics()
      .registry.getMetricsAsArray()
      .map(({ name }) => name);
    const folder = await mkdtemp(join(tmpdir(), 'runbooks-'));
    try {
      for (const [index, expr] of of('promql').entries()) {
        const names = expr.match(/\bdostar_\w+/g) ?? [];
        const known = names.map((name) => name.replace(/_(?:bucket|count|sum)$/, ''));
        expect(
          known.filter((name) => !shown.includes(name)),
          expr,
        ).toEqual([]);
        const file = join(folder, `${index}.json`);
        // JSON is YAML.
        await writeFile(file, JSON.stringify({ groups: [{ name: 'one', rules: [{ record: 'tried', expr }] }] }));
        await run(await findPromtool(), ['check', 'rules', file]);
      }
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  test('dostar-backup knows its subcommands, and systemd the unit names', () => {
    const program = read('deploy/backup/dostar-backup');
    for (const code of of('backup')) {
      const [first, word, kind] = code.split(' ');
      if (first !== 'dostar-backup' || word === undefined)
        expect(existsSync(join(ROOT, `deploy/backup/${first}.service`))).toBe(true);
      else expect(program, code).toMatch(new RegExp(`^dostar-backup ${word}\\b.*${kind ?? ''}`, 'm'));
    }
  });
});

describe('every command of the administration', () => {
  const named = PAGES.flatMap(listCode).flatMap((code) => {
    const words = findAdmin(code);
    return words === undefined ? [] : [words.join(' ')];
  });
  const commands = [...new Set(named)].filter((words) => !words.startsWith('-')).toSorted();

  test('is documented on these pages', () => {
    expect(commands).toEqual(expect.arrayContaining(['doctor', 'migrate', 'raise-epoch SHARD', 'accounts find WHO']));
  });

  test.each(commands)('%s exists and accepts the arguments on the page', (line) => {
    const words = line.split(' ').map((word) => SAMPLES[word] ?? word);
    const found = findCommand(words);
    expect(found, line).toBeDefined();
    // A bare name needs no arguments; given arguments must be valid.
    if (found!.args.length > 0) expect(() => found!.command.prepare(found!.args)).not.toThrow();
  });

  test('read-only and repeatable commands succeed', async () => {
    for (const words of [['migrate'], ['deeds', '5'], ['reports', 'list'], ['raise-epoch', '0']]) {
      const { code, err } = await runAdminCommand(cluster.ctx, words);
      expect(code, `${words.join(' ')}: ${err}`).toBe(0);
    }
  });
});

test('every proof and every ./dev command that a page names exists', () => {
  const help = read('tools/src/main.ts');
  for (const code of PAGES.flatMap(listCode)) {
    const [, word, name] = /^\.\/dev (\w+)(?: ([\w-]+))?/.exec(code) ?? [];
    if (word === undefined) continue;
    expect(help, code).toContain(`  ./dev ${word}`);
    if (word === 'prove' && name !== undefined)
      expect(globSync(`proofs/src/*/${name}.ts`, { cwd: ROOT }), code).toHaveLength(1);
  }
});

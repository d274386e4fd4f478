import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { repoRoot } from '../servers/folders.ts';
import { listBreakingSteps, splitStatements } from './migration-steps.ts';

/** Migrations from before the first release, when old and new processes did not run side by side. */
const BEFORE_THE_FIRST_RELEASE = ['shard/0012-recovery.sql', 'shard/0013-passkeys.sql', 'shard/0017-no-aliases.sql'];

const folder = join(repoRoot, 'apps/server/migrations');
const migrations = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.sql'));

function listReleases(): string[] {
  const changelog = readFileSync(join(repoRoot, 'CHANGELOG.md'), 'utf8');
  return [...changelog.matchAll(/^## (\d+\.\d+\.\d+)/gm)].map((match) => match[1]!);
}

test('a migration only adds, unless it is marked as a contract step that no release depends on', () => {
  expect(migrations.length).toBeGreaterThan(30);
  const released = listReleases();
  const breaking = migrations
    .filter((name) => !BEFORE_THE_FIRST_RELEASE.includes(name))
    .flatMap((name) =>
      listBreakingSteps(readFileSync(join(folder, name), 'utf8'), released).map((step) => ({ name, ...step })),
    );
  expect(breaking).toEqual([]);
});

test('every excused migration still breaks a rule', () => {
  for (const name of BEFORE_THE_FIRST_RELEASE) {
    expect(listBreakingSteps(readFileSync(join(folder, name), 'utf8'), []), name).not.toEqual([]);
  }
});

test.each([
  'drop table contact;',
  'drop function append;',
  'truncate register;',
  'alter table contact drop column alias;',
  'alter table contact drop alias;',
  'alter table contact rename column alias to nickname;',
  'alter table contact rename to friend;',
  'alter table log alter column seq type integer;',
  'alter table log alter body set data type text;',
  'alter table log alter column body set not null;',
  'alter table session alter column client drop default;',
  'alter table session add column place text not null;',
  'alter table session add column a text, add column b text not null;',
  "alter table log add constraint log_body_check check (body <> '');",
  'create unique index one_mail on log (owner, at);',
  'ALTER TABLE contact\n  DROP COLUMN alias -- nobody needs it\n;',
])('refused: %s', (sql) => {
  expect(listBreakingSteps(sql, [])).toHaveLength(1);
});

test.each([
  'create table notes (owner uuid primary key, text text not null);',
  'create table notes (owner uuid); alter table notes add constraint c check (true); create unique index n on notes (owner);',
  "alter table session add column place text not null default '';",
  'alter table session add column place text;',
  'alter table log alter column body set storage external;',
  'alter table log alter column body drop not null;',
  'create index log_at on log (at);',
  'drop index log_at;',
  'create or replace function f() returns void language sql as $$ drop table contact; $$;',
  "comment on table log is 'alter table log drop column body;';",
  "alter table t drop constraint t_check; alter table t add constraint t_check check (s in ('a')), add column u text;",
  "alter table t drop constraint t_state_check, add constraint t_state_check check (state in ('a', 'b'));",
])('allowed: %s', (sql) => {
  expect(listBreakingSteps(sql, [])).toEqual([]);
});

test('a contract step names a published release', () => {
  const step = '-- contract after 1.4.0: nobody reads it since then\nalter table contact drop column alias;';
  expect(listBreakingSteps(step, ['1.4.0'])).toEqual([]);
  expect(listBreakingSteps(step, ['1.3.0'])).toMatchObject([{ why: 'there is no release 1.4.0' }]);
});

test('statements are cut where they end', () => {
  expect(splitStatements("select ';'; -- a; b\nselect $x$ ; $x$;")).toEqual(["select ''", "select ''"]);
});

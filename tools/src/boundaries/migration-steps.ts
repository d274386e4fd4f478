/**
 * Old and new processes run side by side while an installation is upgraded, and an operator may go back. So a migration
 * only adds (expand). A migration that removes something (contract) is a separate file, marked with the release that no
 * longer needs it:
 *
 *     -- contract after 1.4.0: no process reads contact.alias since then
 */

export interface Step {
  statement: string;
  why: string;
}

interface Rule {
  pattern: RegExp;
  why: string;
}

/** Each pattern is matched against one statement: lower case, no comments, single spaces. */
const RULES: Rule[] = [
  { pattern: /^drop (table|view|materialized view|type|function|schema)\b/, why: 'old processes still use it' },
  { pattern: /^truncate\b/, why: 'old processes still read it' },
  {
    pattern: /^alter table .*\bdrop (column )?(?!constraint|default|not null|expression|identity)/,
    why: 'old processes still name the column',
  },
  { pattern: /^alter (table|view|type|function|index) .*\brename\b/, why: 'old processes know the old name' },
  {
    pattern: /^alter table .*\balter (column )?\S+ (set data )?type\b/,
    why: 'old processes read and write the old type',
  },
  { pattern: /^alter table .*\balter (column )?\S+ set not null\b/, why: 'old processes may leave it empty' },
  { pattern: /^alter table .*\balter (column )?\S+ drop default\b/, why: 'old processes rely on the default' },
  {
    pattern: /^alter table .*\badd (constraint|check|unique|foreign|primary|exclude)\b/,
    why: 'old processes may write what it forbids',
  },
  { pattern: /^create unique index\b/, why: 'old processes may write what it forbids' },
];

const NEW_COLUMN =
  /^alter table \S+ add (?:column )?(?:if not exists )?(?!constraint|check|unique|foreign|primary|exclude)/;
const CONTRACT = /^-- contract after (\d+\.\d+\.\d+): \S/;

/** Returns breaking steps of a migration, or none if it is a contract step of a published release. */
export function listBreakingSteps(sql: string, released: readonly string[]): Step[] {
  const mark = CONTRACT.exec(sql)?.[1];
  if (mark !== undefined) {
    return released.includes(mark) ? [] : [{ statement: sql.split('\n')[0]!, why: `there is no release ${mark}` }];
  }
  const statements = splitStatements(sql).flatMap(splitActions);
  const made = new Set(findAll(statements, /^create table (?:if not exists )?([^\s(]+)/));
  const dropped = new Set(findAll(statements, /\bdrop constraint (?:if exists )?(\S+)$/));
  return statements
    .filter((statement) => !made.has(tableOf(statement)) && !dropped.has(addedCheck(statement)))
    .flatMap((statement) => {
      const why = judge(statement);
      return why === undefined ? [] : [{ statement, why }];
    });
}

function judge(statement: string): string | undefined {
  const isBlind =
    NEW_COLUMN.test(statement) && /\bnot null\b/.test(statement) && !/\b(default|generated)\b/.test(statement);
  return isBlind ? 'old processes do not fill it' : RULES.find(({ pattern }) => pattern.test(statement))?.why;
}

function findAll(statements: string[], pattern: RegExp): string[] {
  return statements.flatMap((statement) => pattern.exec(statement)?.[1] ?? []);
}

/** A check that replaces one of the same name is left to the reviewer, who sees whether it allows more. */
function addedCheck(statement: string): string {
  return /^alter table \S+ add constraint (\S+) check\b/.exec(statement)?.[1] ?? '';
}

function tableOf(statement: string): string {
  return (
    /^(?:alter table|drop table|truncate(?: table)?) (?:if exists )?(?:only )?([^\s;]+)/.exec(statement)?.[1] ??
    /^create (?:unique )?index .*? on ([^\s(]+)/.exec(statement)?.[1] ??
    ''
  );
}

/** Splits an `alter table` into one statement per action, at commas outside of parentheses. */
function splitActions(statement: string): string[] {
  const [, head, actions] = /^(alter table (?:if exists )?(?:only )?\S+) (.*)$/.exec(statement) ?? [];
  if (head === undefined || actions === undefined) return [statement];
  let depth = 0;
  let cut = '';
  for (const letter of actions) {
    if (letter === '(') depth += 1;
    if (letter === ')') depth -= 1;
    cut += letter === ',' && depth === 0 ? '\n' : letter;
  }
  return cut.split('\n').map((action) => `${head} ${action.trim()}`);
}

/** Leaves out function bodies, which tests cover. */
export function splitStatements(sql: string): string[] {
  return sql
    .replaceAll(/--.*$|\/\*[\s\S]*?\*\/|\$(\w*)\$[\s\S]*?\$\1\$|'(?:[^']|'')*'/gm, (match) =>
      match.startsWith('-') || match.startsWith('/') ? '' : "''",
    )
    .split(';')
    .map((statement) => statement.replaceAll(/\s+/g, ' ').trim().toLowerCase())
    .filter((statement) => statement !== '');
}

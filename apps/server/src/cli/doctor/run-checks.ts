/**
 * Checks an installation from the machine that it runs on, and says what is wrong and how to fix it.
 *
 * The checks are independent, so one fault does not hide another. They change nothing, except that one stores a file of a
 * few bytes and deletes it again.
 */
import { readConfig } from '../../config.ts';
import { readSecrets } from '../../secrets.ts';
import type { CommandContext, Outcome } from '../command.ts';
import { addressChecks } from './address.ts';
import { assistantChecks } from './assistant.ts';
import { busChecks } from './bus.ts';
import { databaseChecks } from './databases.ts';
import { fileChecks } from './files.ts';
import type { Check, Finding, CheckInput } from './finding.ts';
import { emailChecks } from './email.ts';
import { pictureChecks } from './pictures.ts';
import { programChecks } from './program.ts';
import { pushChecks } from './push.ts';
import { settingsChecks } from './settings.ts';
import { clockChecks } from './clock.ts';

const CHECKS: Check[] = [
  ...settingsChecks,
  ...addressChecks,
  ...databaseChecks,
  ...busChecks,
  ...fileChecks,
  ...programChecks,
  ...assistantChecks,
  ...emailChecks,
  ...pictureChecks,
  ...pushChecks,
  ...clockChecks,
];

export interface CheckResult {
  part: string;
  /** Undefined where it was not checked. */
  findings: Finding[] | undefined;
  /** Why it was not checked. */
  skipped?: string;
}

export async function runChecks({ env, clock }: Pick<CommandContext, 'env' | 'clock'>): Promise<CheckResult[]> {
  const config = attempt(() => readConfig(env));
  if (config instanceof Error) return [{ part: 'settings', findings: [invalidConfiguration(config)] }];
  const read = attempt(() => readSecrets(env));
  const unread = read instanceof Error ? read : undefined;
  const secrets = read instanceof Error ? undefined : read;
  return runChecksOf({ env, config, secrets, clock }, unread);
}

/** `unread`: why the secrets could not be read. */
export async function runChecksOf(input: CheckInput, unread?: Error): Promise<CheckResult[]> {
  return Promise.all(
    CHECKS.map(async ({ part, needsSecrets, skip, run }) => {
      const skipped = needsSecrets && unread ? 'not checked until the secrets are right' : skip?.(input);
      if (skipped !== undefined) return { part, findings: undefined, skipped };
      const findings = await run(input).catch((error: unknown) => [failedCheck(error)]);
      return { part, findings: part === 'secrets' && unread ? [...findings, invalidConfiguration(unread)] : findings };
    }),
  );
}

export async function reportHealth(commandContext: CommandContext): Promise<Outcome> {
  const results = await runChecks(commandContext);
  const count = results.flatMap(({ findings }) => findings ?? []).length;
  const verdict = count === 0 ? 'Nothing is wrong.' : `${count} ${count === 1 ? 'problem' : 'problems'}.`;
  return { code: count === 0 ? 0 : 1, out: [...results.flatMap(describe), verdict].join('\n') };
}

function describe({ part, findings, skipped = '' }: CheckResult): string[] {
  if (!findings) return [`-        ${part.padEnd(10)} ${skipped}`];
  if (findings.length === 0) return [`ok       ${part}`];
  return findings.map(
    ({ problem, remedy }) => `PROBLEM  ${part.padEnd(10)} ${problem}.\n         To do:     ${remedy}.`,
  );
}

function attempt<T>(task: () => T): T | Error {
  try {
    return task();
  } catch (error) {
    return error as Error;
  }
}

/** zod's two lines for each setting, as one sentence for all. */
function invalidConfiguration(error: Error): Finding {
  const problem = error.message
    .replaceAll(/✖ (.*)\n\s*→ at (\S+)/g, '$2: $1;')
    .replaceAll('Invalid input: expected string, received undefined', 'missing')
    .replaceAll(/\s*\n\s*/g, ' ')
    .replace(/[;.]$/, '');
  return {
    problem,
    remedy: 'correct it where the server gets its environment; docs/operate/configuration.md lists all settings',
  };
}

/** A check that throws has found something too. */
function failedCheck(error: unknown): Finding {
  return { problem: `the check failed (${(error as Error).message})`, remedy: 'fix what the message names' };
}

/**
 * Runs one operator command and returns its exit code and output.
 *
 * Promise: a command line with wrong usage opens nothing and changes nothing.
 */
import { AppError } from '@dostar/protocol/errors';
import type { ErrorCode } from '@dostar/protocol/errors';
import { describeFormerNames } from '../config.ts';
import type { Context } from '../context.ts';
import type { Databases } from '../open-databases.ts';
import { recordAuditEntry } from '../features/operations/audit-log/service.ts';
import { UsageError } from './command.ts';
import type { Command, CommandContext, Outcome, PreparedCommand } from './command.ts';
import { findCommand, findNewName, listCommands } from './commands.ts';

export interface AdminEnvironment extends Omit<CommandContext, 'about'> {
  /** Opens the engines, runs the task, and closes them. */
  withContext: <T>(task: (ctx: Context) => Promise<T>) => Promise<T>;
  /** Opens the databases as their owner, runs the task, and closes them. */
  withDatabases: <T>(task: (databases: Databases) => Promise<T>) => Promise<T>;
}

const HELP = new Set(['help', '--help', '-h']);

export async function runAdmin(words: string[], environment: AdminEnvironment): Promise<Outcome> {
  if (words.length === 0 || words.some((word) => HELP.has(word))) return showHelp(words);
  return runCommand(words, environment);
}

/** Without help: no word of `words` asks for it. */
export async function runCommand(words: string[], environment: AdminEnvironment): Promise<Outcome> {
  const found = findCommand(words);
  if (!found) {
    const near = listCommands(words.slice(0, 1));
    return { code: 2, err: `unknown command "${words.join(' ')}"\n${near === '' ? listCommands() : near}` };
  }
  const prepared = prepare(found.command, found.args);
  if ('code' in prepared) return prepared;
  const newName = findNewName(words[0]);
  const warnings = describeFormerNames(environment.env);
  if (newName !== undefined) warnings.push(`"${words[0]}" is now "${newName}"`);
  const outcome = await execute(prepared, environment).catch((error: unknown) => describeFailure(error));
  if (warnings.length === 0) return outcome;
  return { ...outcome, err: [...warnings, ...(outcome.err === undefined ? [] : [outcome.err])].join('\n') };
}

function prepare(command: Command, args: string[]): PreparedCommand | Outcome {
  try {
    return command.prepare(args);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return { code: 2, err: `${error.message}\nusage: ${command.usage}` };
  }
}

async function ignoreSubject(): Promise<void> {}

async function execute(
  prepared: PreparedCommand,
  { withContext, withDatabases, ...commandContext }: AdminEnvironment,
): Promise<Outcome> {
  if (prepared.needs === 'databases') return { code: 0, out: await withDatabases(prepared.run) };
  if (prepared.needs === 'nothing') return prepared.run({ ...commandContext, about: ignoreSubject });
  const { audit: words, run } = prepared;
  const { operator } = commandContext;
  const out = await withContext(async (ctx) => {
    if (words === undefined) return run(ctx, { ...commandContext, about: ignoreSubject });
    await ctx.placement.reload();
    return recordAuditEntry(ctx, { operator, words }, ({ about }) => run(ctx, { ...commandContext, about }));
  });
  return { code: 0, out };
}

function showHelp(words: string[]): Outcome {
  const about = words.filter((word) => !HELP.has(word));
  const listed = listCommands(about);
  if (listed === '') return { code: 2, err: `unknown command "${about.join(' ')}"\n${listCommands()}` };
  return { code: 0, out: listed };
}

const WORDS: Partial<Record<ErrorCode, string>> = {
  unknown_account: 'no account has that id',
  unavailable: 'a database or NATS does not answer',
};

function describeFailure(error: unknown): Outcome {
  if (error instanceof AppError) return { code: 1, err: WORDS[error.code] ?? error.code };
  return { code: 1, err: error instanceof Error ? error.message : String(error) };
}

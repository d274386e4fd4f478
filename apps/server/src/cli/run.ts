/**
 * One line of the command line, from its words to its exit code.
 *
 * Promise: what is not understood opens nothing and changes nothing.
 */
import { AppError } from '@dostar/protocol/errors';
import type { ErrorCode } from '@dostar/protocol/errors';
import type { Context } from '../context.ts';
import type { Databases } from '../open-databases.ts';
import { recordDeed } from '../features/operations/audit-log/service.ts';
import { WrongArguments } from './command.ts';
import type { Command, Desk, Outcome, Prepared } from './command.ts';
import { findCommand, listCommands } from './commands.ts';

export interface Surroundings extends Omit<Desk, 'about'> {
  /** Who sits at the keyboard, for the book of deeds. */
  operator: string;
  /** Opens the engines, runs the task, and closes them. */
  withContext: <T>(task: (ctx: Context) => Promise<T>) => Promise<T>;
  /** Opens the databases as their owner, runs the task, and closes them. */
  withDatabases: <T>(task: (databases: Databases) => Promise<T>) => Promise<T>;
}

const HELP = new Set(['help', '--help', '-h']);

export async function runAdmin(words: string[], surroundings: Surroundings): Promise<Outcome> {
  if (words.length === 0 || words.some((word) => HELP.has(word))) return showHelp(words);
  const found = findCommand(words);
  if (!found) {
    const near = listCommands(words.slice(0, 1));
    return { code: 2, err: `there is no command "${words.join(' ')}"\n${near === '' ? listCommands() : near}` };
  }
  const prepared = prepare(found.command, found.args);
  if ('code' in prepared) return prepared;
  try {
    return await carryOut(prepared, surroundings);
  } catch (error) {
    return { code: 1, err: describeFailure(error) };
  }
}

function prepare(command: Command, args: string[]): Prepared | Outcome {
  try {
    return command.prepare(args);
  } catch (error) {
    if (!(error instanceof WrongArguments)) throw error;
    return { code: 2, err: `${error.message}\nusage: ${command.usage}` };
  }
}

async function nobody(): Promise<void> {}

async function carryOut(
  prepared: Prepared,
  { withContext, withDatabases, operator, ...desk }: Surroundings,
): Promise<Outcome> {
  if (prepared.needs === 'databases') return { code: 0, out: await withDatabases(prepared.run) };
  if (prepared.needs === 'nothing') return prepared.run({ ...desk, about: nobody });
  const { deed: words, run } = prepared;
  const out = await withContext(async (ctx) => {
    if (words === undefined) return run(ctx, { ...desk, about: nobody });
    await ctx.placement.reload();
    return recordDeed(ctx, { operator, words }, ({ about }) => run(ctx, { ...desk, about }));
  });
  return { code: 0, out };
}

function showHelp(words: string[]): Outcome {
  const about = words.filter((word) => !HELP.has(word));
  const listed = listCommands(about);
  if (listed === '') return { code: 2, err: `there is no command "${about.join(' ')}"\n${listCommands()}` };
  return { code: 0, out: listed };
}

const WORDS: Partial<Record<ErrorCode, string>> = {
  unknown_account: 'nobody here has that id',
  unavailable: 'a database or NATS does not answer',
};

function describeFailure(error: unknown): string {
  if (error instanceof AppError) return WORDS[error.code] ?? error.code;
  return error instanceof Error ? error.message : String(error);
}

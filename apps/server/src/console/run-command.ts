/** The acts and views of the console are those of the operator's commands, with the same entries in the audit log. */
import { runCommand as runAdminCommand } from '../cli/run.ts';
import type { Context } from '../context.ts';
import { recordAuditEntry } from '../features/operations/audit-log/service.ts';
import type { AuditedCommand } from '../features/operations/audit-log/service.ts';
import type { ConsoleSession } from '../features/operations/console-sessions/service.ts';

interface CommandResult {
  isDone: boolean;
  /** What the command line would print. */
  text: string;
}

/** Runs a command that needs neither an environment nor standard input. */
export async function runCommand(ctx: Context, { operator }: ConsoleSession, words: string[]): Promise<CommandResult> {
  const { code, out, err } = await runAdminCommand(words, {
    operator,
    clock: ctx.clock,
    env: {},
    readInput: async () => '',
    withContext: (task) => task(ctx),
    withDatabases: () => Promise.reject(new Error('the console does not change the schema')),
  });
  return { isDone: code === 0, text: out ?? err ?? '' };
}

/** A view that shows what the command `words` prints. */
export async function runView<T>(
  ctx: Context,
  { operator }: ConsoleSession,
  words: string,
  task: (audited: AuditedCommand) => Promise<T>,
): Promise<T> {
  await ctx.placement.reload();
  return recordAuditEntry(ctx, { operator, words }, task);
}

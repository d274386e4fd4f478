import type { CommandContext, Outcome } from '../src/cli/command.ts';
import { runAdmin } from '../src/cli/run.ts';
import type { Context } from '../src/context.ts';
import { systemClock } from '../src/platform/concurrency/clock.ts';

interface Given {
  env?: CommandContext['env'];
  input?: string;
  operator?: string;
}

/** Runs an operator command on open engines. */
export function runAdminCommand(
  ctx: Context,
  words: string[],
  { env = {}, input = '', operator = 'tester' }: Given = {},
): Promise<Outcome> {
  const commandContext = { env, operator, clock: systemClock, readInput: async () => input };
  return runAdmin(words, {
    ...commandContext,
    withContext: (task) => task(ctx),
    withDatabases: (task) => task(ctx),
  });
}

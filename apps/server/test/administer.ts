import type { Desk, Outcome } from '../src/cli/command.ts';
import { runAdmin } from '../src/cli/run.ts';
import type { Context } from '../src/context.ts';
import { systemClock } from '../src/platform/concurrency/clock.ts';

interface Given {
  env?: Desk['env'];
  input?: string;
  operator?: string;
}

/** What an operator types, on engines that are open already. */
export function administer(
  ctx: Context,
  words: string[],
  { env = {}, input = '', operator = 'tester' }: Given = {},
): Promise<Outcome> {
  const desk = { env, clock: systemClock, readInput: async () => input };
  return runAdmin(words, { ...desk, operator, withContext: (task) => task(ctx), withDatabases: (task) => task(ctx) });
}

/** What an operator does by hand: `./dev admin COMMAND`. */
import process from 'node:process';
import { readConfig } from './config.ts';
import type { Config } from './config.ts';
import type { Context } from './context.ts';
import { findCommand, listCommands } from './admin/commands.ts';
import { flushStats } from './features/stats/service.ts';
import { openContext } from './open-context.ts';
import { readSecrets } from './secrets.ts';

const [name = 'help', ...args] = process.argv.slice(2);
const command = findCommand(name);
if (!command) {
  process.stderr.write(`${listCommands()}\n`);
  process.exitCode = name === 'help' ? 0 : 2;
} else {
  process.exitCode = await run({ ...readConfig(process.env), LOG_LEVEL: 'warn' });
}

async function run(config: Config): Promise<number> {
  await using opened = await openContext(config, readSecrets(process.env));
  try {
    const said = await command!.run(opened.ctx satisfies Context, args);
    await flushStats(opened.ctx);
    process.stdout.write(`${said}\n`);
    return 0;
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    return 1;
  }
}

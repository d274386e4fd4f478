/** Operator commands: `dostar admin COMMAND` in an installation, `./dev admin COMMAND` in development. */
import { userInfo } from 'node:os';
import process from 'node:process';
import { text } from 'node:stream/consumers';
import { readConfig } from './config.ts';
import type { Context } from './context.ts';
import { runAdmin } from './cli/run.ts';
import { flushStats } from './features/operations/public-stats/service.ts';
import { openContext } from './open-context.ts';
import { openDatabases } from './open-databases.ts';
import type { Databases } from './open-databases.ts';
import { systemClock } from './platform/concurrency/clock.ts';
import { createLog } from './platform/observability/log.ts';
import { requireDatabaseTls } from './require-tls.ts';
import { readAdminSecrets, readDatabasePasswords } from './secrets.ts';

const NATS_WAIT_NOTICE_MS = 5_000;
const { env } = process;
const { code, out, err } = await runAdmin(process.argv.slice(2), {
  env,
  clock: systemClock,
  readInput: () => text(process.stdin),
  // With sudo, the person and not root.
  operator: env['SUDO_USER'] ?? nameUser(),
  async withContext<T>(task: (ctx: Context) => Promise<T>): Promise<T> {
    // Opening the context waits for NATS without any output.
    const waiting = setTimeout(
      () => process.stderr.write('still waiting for NATS; run "doctor" to find out why\n'),
      NATS_WAIT_NOTICE_MS,
    );
    await using opened = await openContext({ ...readConfig(env), LOG_LEVEL: 'warn' }, readAdminSecrets(env));
    clearTimeout(waiting);
    const result = await task(opened.ctx);
    await flushStats(opened.ctx);
    return result;
  },
  async withDatabases<T>(task: (databases: Databases) => Promise<T>): Promise<T> {
    const config = readConfig(env);
    requireDatabaseTls(config);
    const { server, owner } = readDatabasePasswords(env);
    const { DATABASE_OWNER: user } = config;
    const login = user === undefined ? { password: server } : { user, password: owner };
    await using databases = openDatabases(config, login, { clock: systemClock, log: createLog('warn') });
    return await task(databases);
  },
});
if (out !== undefined) process.stdout.write(`${out}\n`);
if (err !== undefined) process.stderr.write(`${err}\n`);
process.exitCode = code;

/** In a container the user may have no name. */
function nameUser(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.()}`;
  }
}

import { canConnect } from '../servers/ports.ts';
import { runHere } from './programs.ts';
import { describeEnvironment, ports } from './stack.ts';

/** Commands that work without the databases, or diagnose why they are missing. */
const NEEDS_NOTHING = new Set(['help', '--help', '-h', 'doctor']);

export async function runAdmin(args: string[]): Promise<number> {
  const needsDatabases = args.length > 0 && !args.some((word) => NEEDS_NOTHING.has(word));
  if (needsDatabases && !(await canConnect(ports.postgres))) {
    throw new Error('The databases are not running: ./dev up --detach first.');
  }
  return await runHere(process.execPath, ['apps/server/src/admin.ts', ...args], { env: describeEnvironment() });
}

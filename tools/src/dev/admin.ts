import { findRunning } from '../servers/records.ts';
import { runHere } from './programs.ts';
import { describeEnvironment } from './stack.ts';

export function runAdmin(args: string[]): Promise<number> {
  if (!findRunning('postgres')) throw new Error('The databases are not running: ./dev up --detach first.');
  return runHere(process.execPath, ['apps/server/src/admin.ts', ...args], { env: describeEnvironment() });
}

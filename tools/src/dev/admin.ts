import { canConnect } from '../servers/ports.ts';
import { runHere } from './programs.ts';
import { describeEnvironment, ports } from './stack.ts';

export async function runAdmin(args: string[]): Promise<number> {
  if (!(await canConnect(ports.postgres))) throw new Error('The databases are not running: ./dev up --detach first.');
  return await runHere(process.execPath, ['apps/server/src/admin.ts', ...args], { env: describeEnvironment() });
}

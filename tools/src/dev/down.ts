import { isRunning } from '../servers/processes.ts';
import { listRecords, stopRecord } from '../servers/records.ts';
import type { RunRecord } from '../servers/records.ts';

export async function down(): Promise<number> {
  const stopped = await stopAll(listRecords());
  console.log(stopped.length === 0 ? '  Nothing was running.' : `  Stopped ${stopped.join(', ')}.`);
  return 0;
}

/** The development stack only: tests that run in another terminal keep their engines. */
export async function stopStack(): Promise<void> {
  await stopAll(listRecords().filter((record) => !record.name.startsWith('test-')));
}

async function stopAll(records: RunRecord[]): Promise<string[]> {
  const running = records.filter(isRunning).map((record) => record.name);
  // Our programs first: they drain into engines that still answer.
  await Promise.all(records.filter((record) => !isEngine(record)).map(stopRecord));
  await Promise.all(records.filter(isEngine).map(stopRecord));
  return running;
}

function isEngine(record: RunRecord): boolean {
  return record.name !== 'server' && record.name !== 'web';
}

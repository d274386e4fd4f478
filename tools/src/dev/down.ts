import { rmSync } from 'node:fs';
import { chooseFolder, findEngineUser } from '../servers/folders.ts';
import { isRunning } from '../servers/processes.ts';
import { findRunning, listRecords, stopRecord } from '../servers/records.ts';
import type { RunRecord } from '../servers/records.ts';
import { run } from '../servers/run.ts';
import { folders, samplePeopleMarker } from './stack.ts';

export async function down(args: string[]): Promise<number> {
  const areTestsRunning = await isTestDatabaseInUse();
  const stopped = await stopAll(areTestsRunning ? listStack() : listRecords());
  console.log(stopped.length === 0 ? '  Nothing was running.' : `  Stopped ${stopped.join(', ')}.`);
  if (areTestsRunning) console.log('  Left the test engines: tests are running against them.');
  if (args.includes('--erase')) eraseData();
  return 0;
}

/** Stops the development stack only: tests that run in another terminal keep their engines. */
export async function stopStack(): Promise<void> {
  await stopAll(listStack());
}

function eraseData(): void {
  const user = findEngineUser();
  const { logs: _, ...data } = folders;
  const paths = [...Object.values(data).flatMap((folder) => [folder, chooseFolder(folder, user)]), samplePeopleMarker];
  for (const path of paths) rmSync(path, { recursive: true, force: true });
  console.log('  Deleted the databases, files and emails of development.');
}

function listStack(): RunRecord[] {
  return listRecords().filter((record) => !record.name.startsWith('test-'));
}

async function isTestDatabaseInUse(): Promise<boolean> {
  const record = findRunning('test-postgres');
  if (!record) return false;
  const url = `postgres://postgres@127.0.0.1:${record.port}/postgres`;
  const others = "backend_type = 'client backend' and pid <> pg_backend_pid()";
  const query = `select count(*) from pg_stat_activity where ${others}`;
  return run('psql', ['-XAtq', '-d', url, '-c', query]).then(
    (count) => Number(count) > 0,
    () => false,
  );
}

async function stopAll(records: RunRecord[]): Promise<string[]> {
  const running = records.filter(isRunning).map((record) => record.name);
  // Stops our programs first, while the engines that they use still run.
  await Promise.all(records.filter((record) => !isEngine(record)).map(stopRecord));
  await Promise.all(records.filter(isEngine).map(stopRecord));
  return running;
}

function isEngine(record: RunRecord): boolean {
  return record.name !== 'server' && record.name !== 'web';
}

// One JSON file for each process that outlives its starter, so that `./dev down` stops exactly those.
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { devRoot } from './folders.ts';
import { isRunning, stopProcess } from './processes.ts';
import type { ProcessRef } from './processes.ts';

export interface RunRecord extends ProcessRef {
  name: string;
  port: number;
  log: string;
  /** Start time: `./dev down` stops the last started process first. */
  startedAt: number;
  stopSignal: NodeJS.Signals;
}

const runFolder = join(devRoot, 'run');

export function writeRecord(record: RunRecord): void {
  mkdirSync(runFolder, { recursive: true });
  const path = join(runFolder, `${record.name}.json`);
  // Renamed into place, so that a reader never sees an incomplete record.
  writeFileSync(`${path}.new`, `${JSON.stringify(record, undefined, 2)}\n`);
  renameSync(`${path}.new`, path);
}

export function removeRecord(name: string): void {
  rmSync(join(runFolder, `${name}.json`), { force: true });
}

function findRecord(name: string): RunRecord | undefined {
  try {
    return JSON.parse(readFileSync(join(runFolder, `${name}.json`), 'utf8')) as RunRecord;
  } catch {
    return undefined;
  }
}

/** The record, if exactly that process still runs. */
export function findRunning(name: string): RunRecord | undefined {
  const record = findRecord(name);
  return record && isRunning(record) ? record : undefined;
}

export function listRecords(): RunRecord[] {
  mkdirSync(runFolder, { recursive: true });
  const names = readdirSync(runFolder).filter((name) => name.endsWith('.json'));
  return names
    .map((name) => findRecord(name.slice(0, -'.json'.length)))
    .filter((record) => record !== undefined)
    .toSorted((a, b) => a.startedAt - b.startedAt);
}

export async function stopRecord(record: RunRecord): Promise<void> {
  await stopProcess(record, { signal: record.stopSignal });
  removeRecord(record.name);
}

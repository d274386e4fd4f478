import { isRunning } from '../servers/processes.ts';
import { listRecords } from '../servers/records.ts';
import type { RunRecord } from '../servers/records.ts';
import { isHealthy } from './services.ts';
import { formatTable } from './table.ts';

export async function showStatus(): Promise<number> {
  const records = listRecords();
  if (records.length === 0) {
    console.log('  Nothing runs. Start it with ./dev up');
    return 1;
  }
  const states = await Promise.all(records.map(describeState));
  const rows = records.map((record, index) => [record.name, String(record.pid), String(record.port), states[index]!]);
  console.log(formatTable([['name', 'pid', 'port', 'state'], ...rows]));
  return states.every((state) => state === 'healthy') ? 0 : 1;
}

async function describeState(record: RunRecord): Promise<string> {
  if (!isRunning(record)) return `ended; see ${record.log}`;
  return (await isHealthy(record.name, record.port)) ? 'healthy' : `not answering; see ${record.log}`;
}

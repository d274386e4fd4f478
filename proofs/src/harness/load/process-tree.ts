import { readdirSync, readFileSync } from 'node:fs';

const TICKS_PER_SECOND = 100;

export interface ProcessStat {
  pid: number;
  parent: number;
  /** CPU time so far, including that of children that have ended. */
  seconds: number;
}

/** A process and everything it started, directly or not. */
export function listTree(root: number): ProcessStat[] {
  const all = readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? readStat(name) : []));
  const children = Map.groupBy(all, (stat) => stat.parent);
  const found = all.filter((stat) => stat.pid === root);
  for (const { pid } of found) found.push(...(children.get(pid) ?? []));
  return found;
}

function readStat(pid: string): ProcessStat[] {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The command may contain spaces and parentheses: fields are counted from its last parenthesis.
    const fields = text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    const ticks = fields.slice(11, 15).reduce((sum, value) => sum + value, 0);
    return [{ pid: Number(pid), parent: fields[1]!, seconds: ticks / TICKS_PER_SECOND }];
  } catch {
    // The process ended after it was listed.
    return [];
  }
}

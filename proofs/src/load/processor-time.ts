/** Who used the processor: seconds per process, its children included. */
import { readdirSync, readFileSync } from 'node:fs';

const TICKS_PER_SECOND = 100;

/** Seconds used so far by each named process tree. */
export function readProcessorTime(roots: Record<string, number>): Record<string, number> {
  const children = new Map<number, number[]>();
  const used = new Map<number, number>();
  for (const name of readdirSync('/proc')) {
    const stat = /^\d+$/.test(name) ? readStat(name) : undefined;
    if (!stat) continue;
    used.set(stat.pid, stat.seconds);
    children.set(stat.parent, [...(children.get(stat.parent) ?? []), stat.pid]);
  }
  const sum = (pid: number): number =>
    (children.get(pid) ?? []).reduce((total, child) => total + sum(child), used.get(pid) ?? 0);
  return Object.fromEntries(Object.entries(roots).map(([name, pid]) => [name, sum(pid)]));
}

function readStat(pid: string): { pid: number; parent: number; seconds: number } | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The command may hold spaces and brackets: fields are counted from its last bracket.
    const fields = text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    // Own time, and that of children that have ended.
    const ticks = fields.slice(11, 15).reduce((sum, value) => sum + value, 0);
    return { pid: Number(pid), parent: fields[1]!, seconds: ticks / TICKS_PER_SECOND };
  } catch {
    return undefined;
  }
}

import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { basename } from 'node:path';

/** Memory of each program of a root in MB; shared pages are divided between the processes that share them. */
export function measureMemory(root: string): Map<string, number> {
  const found = new Map<string, number>();
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      if (readlinkSync(`/proc/${pid}/root`) !== root) continue;
      const name = basename(readlinkSync(`/proc/${pid}/exe`));
      const [, kilobytes] = /^Pss:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')) ?? [];
      found.set(name, (found.get(name) ?? 0) + Number(kilobytes ?? 0) / 1024);
    } catch {
      // The process ended after it was listed.
    }
  }
  return found;
}

import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { basename } from 'node:path';

/** What each program of a root holds in memory, in MB, shared pages counted once over all who share them. */
export function measureMemory(root: string): Map<string, number> {
  const found = new Map<string, number>();
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      if (readlinkSync(`/proc/${pid}/root`) !== root) continue;
      const name = basename(readlinkSync(`/proc/${pid}/exe`));
      const [, kilobytes] = /^Pss:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')) ?? [];
      found.set(name, (found.get(name) ?? 0) + Number(kilobytes ?? 0) / 1024);
    } catch {
      // It ended meanwhile.
    }
  }
  return found;
}

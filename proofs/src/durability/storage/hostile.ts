/** The server renders previews of hostile pictures one after the other without harm. */
import { readFileSync } from 'node:fs';
import { listHostile } from '../../../../apps/server/test/hostile-pictures.ts';
import { listTree } from '../../harness/load/process-tree.ts';
import type { Report } from '../../harness/lib/report.ts';
import { call, FILES } from './uploaders.ts';
import type { ServerEndpoints, Uploader } from './uploaders.ts';

const LOOK_EVERY_MS = 20;
const MB = 1024 ** 2;
const MAX_MB = 300;

interface Watched {
  readonly pid: number;
}

export async function checkHostile(
  report: Report,
  endpoints: ServerEndpoints,
  { person, processes, rounds }: { person: Uploader; processes: Watched[]; rounds: number },
): Promise<void> {
  const before = processes.map(({ pid }) => pid);
  const memory = watchMemory(before);
  let pictures = 0;
  for (let seed = 0; seed < rounds; seed += 1) {
    for (const { name, bytes, outcome } of await listHostile(seed)) {
      pictures += 1;
      const id = `hostile${pictures}`;
      const form = (): RequestInit => {
        const body = new FormData();
        body.set('fileId', id);
        body.set('file', new File([bytes], name));
        return { method: 'POST', body };
      };
      const uploaded = await call(endpoints, FILES, form, person);
      const path = `${FILES}/${id}/preview?project=proof&width=64&height=64&output=webp`;
      const isRefused = uploaded.status === 400;
      const { status, bytes: said } = isRefused ? uploaded : await call(endpoints, path, () => ({}), person);
      const found = status === 200 ? 'drawn' : (JSON.parse(said.toString()) as { type: string }).type;
      report.check('a hostile picture has its expected outcome', found === outcome, () => `${name}: ${found}`);
    }
  }
  const { process, child } = memory.end();
  const same = processes.every(({ pid }, n) => pid === before[n] && isAlive(pid));
  report.check('no server process was restarted', same);
  report.check('no process took 300 MB for a picture', Math.max(process, child) < MAX_MB, () => `${process}, ${child}`);
  report.figure('hostile pictures', pictures);
  report.figure('MB a server grew by', process);
  report.figure('MB of the largest rendering process', child);
}

function isAlive(pid: number): boolean {
  return residentOf(pid) > 0;
}

/** The largest memory growth of the servers, and the largest memory of any child process. */
function watchMemory(pids: number[]): { end: () => { process: number; child: number } } {
  const begun = new Map(pids.map((pid) => [pid, residentOf(pid)]));
  let [process, child] = [0, 0];
  const look = (): void => {
    for (const root of pids) {
      process = Math.max(process, residentOf(root) - begun.get(root)!);
      for (const { pid } of listTree(root)) if (pid !== root) child = Math.max(child, residentOf(pid));
    }
  };
  const timer = setInterval(look, LOOK_EVERY_MS);
  return {
    end() {
      clearInterval(timer);
      return { process: Math.round(process / MB), child: Math.round(child / MB) };
    },
  };
}

function residentOf(pid: number): number {
  try {
    const [, kb] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return Number(kb ?? 0) * 1024;
  } catch {
    return 0;
  }
}

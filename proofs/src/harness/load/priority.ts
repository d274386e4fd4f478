import { writeFileSync } from 'node:fs';
import { listTree } from './process-tree.ts';

const RAISED = -15;
const LOOK_EVERY_MS = 500;

/**
 * Lets everything that this process has started, ours and the bare engine alike, go before others on a shared machine,
 * until disposed of. The kernel shares time between sessions first, and every backend of PostgreSQL opens one: eight
 * clients of the engine would be eight parties where two of our batch writers are two. Without the right to do so
 * nothing changes, and the figures are as noisy as the machine.
 */
export function raisePriority(): Disposable {
  const raised = new Set<number>();
  const timer = setInterval(look, LOOK_EVERY_MS);
  look();
  return { [Symbol.dispose]: () => clearInterval(timer) };

  function look(): void {
    for (const { pid } of listTree(process.pid)) {
      if (raised.has(pid)) continue;
      raised.add(pid);
      try {
        writeFileSync(`/proc/${pid}/autogroup`, String(RAISED));
      } catch {
        // Not allowed, no such feature, or the process has ended.
      }
    }
  }
}

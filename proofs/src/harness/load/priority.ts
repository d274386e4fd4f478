import { writeFileSync } from 'node:fs';
import { listTree } from './process-tree.ts';

const RAISED = -15;
const LOOK_EVERY_MS = 500;

/**
 * Raises the scheduling priority of everything that this process has started, until disposed of. The kernel divides
 * time between sessions first, and every PostgreSQL backend opens one: without this, pgbench with eight backends would
 * get more time than the server with two. Without the permission nothing changes, and the figures are as noisy as the
 * machine.
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
        // Missing permission, no such kernel feature, or the process has ended.
      }
    }
  }
}

import { listTree } from './process-tree.ts';

/** CPU seconds so far of each named process and its children. */
export function readProcessorTime(roots: Record<string, number>): Record<string, number> {
  const names = Object.entries(roots);
  return Object.fromEntries(
    names.map(([name, root]) => [name, listTree(root).reduce((sum, stat) => sum + stat.seconds, 0)]),
  );
}

const PINNED = /^[\w.-]+\/[\w./-]+@[\da-f]{40} # v\d+\.\d+\.\d+$/;

/**
 * Actions of a workflow that are not pinned to a full commit, with the version in a comment. A tag can be moved to other
 * code, which would then run with the rights of the workflow. Actions of this repository need no version.
 */
export function listUnpinnedActions(workflow: string): string[] {
  return [...workflow.matchAll(/^[\s-]*['"]?uses['"]?:\s*(.+?)\s*$/gm)]
    .map(([, action = '']) => action)
    .filter((action) => !action.startsWith('./') && !PINNED.test(action));
}

/** What a page has not saved yet. A reload waits for this first: no word of a draft is lost to a new version. */
const savers = new Set<() => Promise<void>>();
/** A busy disk may take seconds; after this the reload does not wait any longer. */
const saveTimeoutMs = 15_000;

/** Returns how to stop. */
export function saveBeforeReload(save: () => Promise<void>): () => void {
  savers.add(save);
  return () => savers.delete(save);
}

/** Waits only where something is unsaved, and not without end. */
export async function saveUnsaved(within: number): Promise<void> {
  if (savers.size === 0) return;
  const saved = Promise.allSettled([...savers].map((save) => save()));
  await Promise.race([saved, new Promise((resolve) => setTimeout(resolve, within))]);
}

export function reloadAfterSaving(): void {
  if (savers.size === 0) window.location.reload();
  else void saveUnsaved(saveTimeoutMs).then(() => window.location.reload());
}

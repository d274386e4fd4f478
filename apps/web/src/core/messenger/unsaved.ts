/** Unsaved changes of a page. A reload waits until they are saved, so that a new version loses no draft. */
const savers = new Set<() => Promise<void>>();
/** A busy disk may take seconds; after this time the page reloads anyway. */
const saveTimeoutMs = 15_000;

/** Returns a function that stops it. */
export function saveBeforeReload(save: () => Promise<void>): () => void {
  savers.add(save);
  return () => savers.delete(save);
}

/** Waits only if something is unsaved, and at most `within` milliseconds. */
export async function saveUnsaved(within: number): Promise<void> {
  if (savers.size === 0) return;
  const saved = Promise.allSettled([...savers].map((save) => save()));
  await Promise.race([saved, new Promise((resolve) => setTimeout(resolve, within))]);
}

export function reloadAfterSaving(): void {
  if (savers.size === 0) window.location.reload();
  else void saveUnsaved(saveTimeoutMs).then(() => window.location.reload());
}

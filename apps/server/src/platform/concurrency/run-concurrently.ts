/** Runs the task for every item, `concurrency` at a time. */
export async function runConcurrently<T>(
  concurrency: number,
  items: readonly T[],
  task: (item: T) => Promise<void>,
): Promise<void> {
  const queue = items.values();
  const worker = async (): Promise<void> => {
    for (const item of queue) await task(item);
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
}

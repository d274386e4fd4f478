/** Does the task for every item, so many at a time. */
export async function runWithHands<T>(
  hands: number,
  items: readonly T[],
  task: (item: T) => Promise<void>,
): Promise<void> {
  const queue = items.values();
  const work = async (): Promise<void> => {
    for (const item of queue) await task(item);
  };
  await Promise.all(Array.from({ length: hands }, work));
}

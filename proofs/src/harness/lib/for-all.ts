/** Runs the task for all items, at most `atOnce` concurrently, in the order of the list. */
export async function forAll<T>(list: readonly T[], atOnce: number, task: (one: T) => Promise<void>): Promise<void> {
  const rest = list.values();
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (const one of rest) await task(one);
    }),
  );
}

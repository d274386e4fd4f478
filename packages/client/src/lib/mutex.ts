/** Named mutexes: work under one name runs one at a time, in FIFO order. */
export interface Mutex {
  run<T>(name: string, work: () => Promise<T>): Promise<T>;
}

export function createMutex(): Mutex {
  const tails = new Map<string, Promise<unknown>>();
  return {
    async run(name, work) {
      const before = tails.get(name) ?? Promise.resolve();
      const mine = before.then(work, work);
      const tail = mine.catch(() => {});
      tails.set(name, tail);
      try {
        return await mine;
      } finally {
        if (tails.get(name) === tail) tails.delete(name);
      }
    },
  };
}

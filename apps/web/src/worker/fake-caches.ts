/** For tests: as much of the browser's caches as the memo needs. */
export function fakeCaches() {
  const kept = new Map<string, Response>();
  return {
    match: async (address: string) => kept.get(address)?.clone(),
    open: async () => ({ put: async (address: string, reply: Response) => void kept.set(address, reply) }),
  };
}

/** For tests: the part of the Cache API that the service worker state needs. */
export function fakeCaches() {
  const kept = new Map<string, Response>();
  return {
    match: async (address: string) => kept.get(address)?.clone(),
    open: async () => ({ put: async (address: string, reply: Response) => void kept.set(address, reply) }),
  };
}

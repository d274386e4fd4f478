export interface Listeners<Event> {
  add(listener: (event: Event) => void): () => void;
  tell(event: Event): void;
  isEmpty(): boolean;
}

export function createListeners<Event>(): Listeners<Event> {
  const listeners = new Set<(event: Event) => void>();
  return {
    add(listener) {
      // A function that is added twice is called twice, and each returned function removes one of the two.
      const entry = (event: Event): void => listener(event);
      listeners.add(entry);
      return () => listeners.delete(entry);
    },
    tell(event) {
      for (const listener of listeners) listener(event);
    },
    isEmpty: () => listeners.size === 0,
  };
}

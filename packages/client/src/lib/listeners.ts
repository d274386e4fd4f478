export interface Listeners<Event> {
  add(listener: (event: Event) => void): () => void;
  tell(event: Event): void;
}

export function createListeners<Event>(): Listeners<Event> {
  const listeners = new Set<(event: Event) => void>();
  return {
    add(listener) {
      // A second subscription of one function must not be ended by the first one's end.
      const entry = (event: Event): void => listener(event);
      listeners.add(entry);
      return () => listeners.delete(entry);
    },
    tell(event) {
      for (const listener of listeners) listener(event);
    },
  };
}

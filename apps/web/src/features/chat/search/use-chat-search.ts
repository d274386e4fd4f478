import type { Client, SearchResult } from '@dostar/client';
import type { ChatId } from '@dostar/protocol/ids';
import { useEffect, useState } from 'react';

/** Limit of the results that the user can step through. */
const MAX_RESULTS = 200;
/** Debounce while the user types. */
const PAUSE_MS = 150;

interface SearchOptions {
  client: Client;
  chat: ChatId;
  onFound: (found: SearchResult) => void;
}

/** Text search in one chat: results, newest first, and the current result. */
export function useChatSearch({ client, chat, onFound }: SearchOptions) {
  const [isOpen, setIsOpen] = useState(false);
  const [query, setQuery] = useState('');
  const [found, setFound] = useState<{ query: string; all: SearchResult[] }>();
  const [index, setIndex] = useState(0);
  const text = query.trim();

  useEffect(() => {
    if (!isOpen || text === '') return;
    let isOver = false;
    const timer = setTimeout(() => {
      void client.search({ text, chat, limit: MAX_RESULTS }).then((all) => {
        if (isOver) return;
        setFound({ query: text, all });
        setIndex(0);
      });
    }, PAUSE_MS);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [client, chat, text, isOpen]);

  const all = text !== '' && found?.query === text ? found.all : undefined;

  function goTo(next: number): void {
    const target = all?.[next];
    if (target === undefined) return;
    setIndex(next);
    onFound(target);
  }

  return {
    isOpen,
    query,
    setQuery,
    /** Undefined until the search is done. */
    all,
    index,
    current: isOpen ? all?.[index] : undefined,
    goTo,
    open: () => setIsOpen(true),
    close() {
      setIsOpen(false);
      setQuery('');
      setFound(undefined);
    },
  };
}

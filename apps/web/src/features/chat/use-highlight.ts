import type { Message } from '@dostar/client';
import { type RefObject, useEffect, useState } from 'react';
import { findRow, type Row } from './timeline/list-rows.ts';
import type { TimelineHandle } from './timeline/timeline.tsx';

const SHOWN_MS = 1800;

interface HighlightOptions {
  list: RefObject<TimelineHandle | null>;
  rows: readonly Row<Message>[];
  goTo: (place: number) => void;
}

/** Scrolls to a message, loading its part of the chat if necessary, and highlights it for a moment. */
export function useHighlight({ list, rows, goTo }: HighlightOptions) {
  const [wanted, setWanted] = useState<string>();
  const isHere = wanted !== undefined && findRow(rows, wanted) >= 0;

  useEffect(() => {
    if (!isHere) return;
    list.current?.scrollToMessage(wanted);
    const timer = setTimeout(() => setWanted(undefined), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [isHere, wanted, list]);

  return {
    highlighted: isHere ? wanted : undefined,
    jumpTo({ id, place }: { id: string; place?: number | undefined }) {
      setWanted(id);
      if (place !== undefined && findRow(rows, id) < 0) goTo(place);
    },
  };
}

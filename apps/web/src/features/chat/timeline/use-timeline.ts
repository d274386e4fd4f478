import type { Client } from '@dostar/client';
import type { ChatId } from '@dostar/protocol/ids';
import { useCallback, useState } from 'react';
import { useSteadyLive } from '../../../core/lib/use-live.ts';
import { around, atEnd, slideDown, slideUp } from './slide-window.ts';

/** Loaded part of a chat and the functions that move it. */
export function useTimeline(client: Client, chat: ChatId) {
  const [query, setQuery] = useState(atEnd);
  const window = useSteadyLive(client.live.window(chat, query), chat);

  const goUp = useCallback(() => {
    if (window) setQuery((before) => slideUp(before, window));
  }, [window]);
  const goDown = useCallback(() => {
    if (window) setQuery((before) => slideDown(before, window));
  }, [window]);

  return {
    window,
    goUp,
    goDown,
    goTo: (place: number) => setQuery(around(place)),
    goToEnd: () => setQuery(atEnd),
  };
}

/** Finds the unread messages when the chat is opened, and reports how far the user has read. */
import type { Client, TimelineWindow } from '@dostar/client';
import type { AccountId, ChatId } from '@dostar/protocol/ids';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useLive } from '../../../core/lib/use-live.ts';

interface ReadTrackingOptions {
  client: Client;
  chat: ChatId;
  me: AccountId;
  window: TimelineWindow | undefined;
  /** Loads older messages. */
  onMore: () => void;
}

export function useReadTracking({ client, chat, me, window, onMore }: ReadTrackingOptions) {
  const unread = useLive(client.live.unread(chat));
  const [opening, setOpening] = useState<{ from: string | undefined; count: number }>();
  const reportedUpTo = useRef(0);
  const messages = window?.messages;

  const others = messages?.filter(({ sender }) => sender !== me);
  const isShort = window?.hasOlder === true && (others?.length ?? 0) < (unread ?? 0);
  // Set once: the unread line keeps its position until the user leaves the chat.
  if (opening === undefined && others !== undefined && unread !== undefined && !isShort) {
    setOpening({ from: unread > 0 ? (others.at(-unread) ?? others[0])?.id : undefined, count: unread });
  }
  useEffect(() => {
    if (opening === undefined && isShort) onMore();
  }, [opening, isShort, onMore]);

  const newest = messages?.findLast(({ seq }) => seq !== undefined)?.seq;
  const isAtEnd = window?.hasNewer === false;
  const handleSeen = useCallback(() => {
    if (document.visibilityState !== 'visible' || !document.hasFocus() || !isAtEnd) return;
    if (newest === undefined || newest <= reportedUpTo.current) return;
    reportedUpTo.current = newest;
    void client.markRead(chat, newest);
  }, [client, chat, newest, isAtEnd]);

  return { opening, newCount: unread ?? 0, handleSeen };
}

import type { Client, GalleryQuery, Message } from '@dostar/client';
import type { ChatId } from '@dostar/protocol/ids';
import { useState } from 'react';
import { useSteadyLive } from '../../../core/lib/use-live.ts';

const STEP = 120;

/** Props of each list of the gallery. */
export interface GalleryPartProps {
  client: Client;
  chat: ChatId;
  onJump: (message: Message) => void;
}

/** Messages of one kind, newest first, with paging. */
export function useGallery(client: Client, chat: ChatId, kind: NonNullable<GalleryQuery['kind']>) {
  const [limit, setLimit] = useState(STEP);
  const messages = useSteadyLive(client.live.gallery(chat, { limit, kind }), `${chat}/${kind}`);
  return {
    messages: messages?.filter(({ shows }) => shows.state === 'content').toReversed(),
    hasMore: (messages?.length ?? 0) >= limit,
    showMore: () => setLimit(limit + STEP),
  };
}

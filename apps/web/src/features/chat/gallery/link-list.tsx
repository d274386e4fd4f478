import type { Message } from '@dostar/client';
import { useMemo, useState } from 'react';
import { useTranslation } from '../../../core/i18n/use-translation.ts';
import { LinkDialog } from '../dialogs/link-dialog.tsx';
import { findLinks } from '../text/find-links.ts';
import type { DoubtfulLink } from '../text/doubtful-link.ts';
import { MessageLink } from '../text/message-link.tsx';
import { parseText, type TextNode } from '../text/parse-text.ts';
import { GalleryRow } from './gallery-row.tsx';
import { GalleryRows } from './gallery-rows.tsx';
import { type GalleryPartProps, useGallery } from './use-gallery.ts';

type TextLink = Extract<TextNode, { kind: 'link' }>;

/** Links found in messages. The database stores the texts encrypted, so it has no index of links: this scans a page. */
export function LinkList({ client, chat, onJump }: GalleryPartProps) {
  const { t } = useTranslation('chat');
  const { messages, hasMore, showMore } = useGallery(client, chat, 'text');
  const [doubtful, setDoubtful] = useState<DoubtfulLink>();
  const found = useMemo(
    () => messages?.flatMap((message) => listLinks(message).map((link) => ({ message, link }))),
    [messages],
  );
  return (
    <>
      <GalleryRows
        rows={found?.map(({ message, link }, index) => (
          <GalleryRow key={`${message.sender}/${message.id}/${index}`} message={message} onJump={onJump}>
            <MessageLink
              href={link.href}
              text={link.text}
              className="block truncate text-accent underline underline-offset-2"
              onDoubt={setDoubtful}
            />
          </GalleryRow>
        ))}
        empty={t('gallery.noLinks')}
        hasMore={hasMore}
        onMore={showMore}
      />
      {doubtful !== undefined && <LinkDialog link={doubtful} onClose={() => setDoubtful(undefined)} />}
    </>
  );
}

function listLinks({ shows }: Message): TextLink[] {
  if (shows.state !== 'content' || shows.content.kind !== 'text') return [];
  return collect(parseText(shows.content.text, findLinks));
}

function collect(nodes: TextNode[]): TextLink[] {
  return nodes.flatMap((node) => (node.kind === 'link' ? [node] : 'nodes' in node ? collect(node.nodes) : []));
}

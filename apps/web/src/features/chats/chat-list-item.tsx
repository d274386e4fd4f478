import type { Client } from '@dostar/client';
import { Archive, Bell, BellOff, CheckCheck, Pin } from 'lucide-react';
import { useTranslation } from '../../core/i18n/use-translation.ts';
import { formatDay, formatTime } from '../../core/i18n/format-date.ts';
import { chatPath } from '../../core/lib/paths.ts';
import { FOREVER } from '../../core/messenger/mute-times.ts';
import type { People } from '../../core/messenger/people.ts';
import { previewMessage } from '../../core/messenger/preview-message.ts';
import { useSession } from '../../core/session/session.ts';
import { Ticks } from '../../core/messenger/ticks.tsx';
import { useLive } from '../../core/lib/use-live.ts';
import { useLocale, useLocalPath } from '../../core/i18n/use-locale.ts';
import { useNow } from '../../core/lib/use-now.ts';
import { ContextMenu } from '../../ui/context-menu.tsx';
import { ChatRow } from './chat-row.tsx';
import type { ListedChat } from './listed-chat.ts';
import { useDelayedPreview } from './use-delayed-preview.ts';

const ONLINE_MS = 120_000;

interface ChatListItemProps {
  client: Client;
  listed: ListedChat;
  people: People;
  openName: string | undefined;
}

export function ChatListItem({ client, listed: { summary, contact }, people, openName }: ChatListItemProps) {
  const { t } = useTranslation('chats');
  const { t: tSaid } = useTranslation('said');
  const { code } = useLocale();
  const local = useLocalPath();
  const session = useSession();
  const { chat, peer, last, unread, draft, isPinned, isArchived, mutedUntil } = summary;
  const typing = useLive(client.live.typing(chat));
  const lastOnline = useLive(client.live.lastOnline(peer ?? last.sender));
  const me = session.status === 'signed-in' ? session.account.id : undefined;
  const line = useDelayedPreview(last);
  const name = (peer && people.nameOf(peer)) ?? t('unknown');
  const username = contact?.username;
  const now = useNow();
  const isMuted = mutedUntil > now;

  function describe() {
    if ((typing?.length ?? 0) > 0) return <span className="text-accent">{tSaid('typing')}</span>;
    if (draft) return <span className="text-danger">{tSaid('draft', { text: draft.text })}</span>;
    if (line === undefined) return null;
    const text = previewMessage(line.shows, tSaid);
    if (line.sender !== me) return text;
    return (
      <span className="flex items-center gap-1">
        <Ticks status={line.status} />
        <span className="truncate">{tSaid('you', { text })}</span>
      </span>
    );
  }

  const isToday = new Date(last.at).toDateString() === new Date(now).toDateString();
  const row = (
    <ChatRow
      chat={{
        accountId: peer ?? last.sender,
        name,
        photo: contact?.picture,
        isAssistant: contact?.isAssistant === true,
        isOnline: typeof lastOnline === 'number' && now - lastOnline < ONLINE_MS,
        when: isToday ? formatTime(new Date(last.at)) : formatDay(code, new Date(last.at), new Date(now)),
        preview: describe(),
        unread,
        isMuted,
        isPinned,
      }}
      to={local(chatPath(username ?? peer ?? 'no'))}
      isOpen={openName !== undefined && (openName === username || openName === peer)}
    />
  );
  if (contact === undefined) return row;
  const { id } = contact;
  const items = [
    {
      label: t(isPinned ? 'menu.unpin' : 'menu.pin'),
      icon: <Pin aria-hidden className="size-5" />,
      onSelect: () => void client.contacts.change(id, { pinned: !isPinned }),
    },
    {
      label: t(isMuted ? 'menu.unmute' : 'menu.mute'),
      icon: isMuted ? <Bell aria-hidden className="size-5" /> : <BellOff aria-hidden className="size-5" />,
      onSelect: () => void client.contacts.change(id, { mutedUntil: isMuted ? 0 : FOREVER }),
    },
    {
      label: t('menu.read'),
      icon: <CheckCheck aria-hidden className="size-5" />,
      isDisabled: unread === 0 || last.seq === undefined,
      onSelect: () => void client.markRead(chat, last.seq ?? 0),
    },
    {
      label: t(isArchived ? 'menu.unarchive' : 'menu.archive'),
      icon: <Archive aria-hidden className="size-5" />,
      onSelect: () => void client.contacts.change(id, { archived: !isArchived }),
    },
  ];
  return <ContextMenu listItems={() => items}>{row}</ContextMenu>;
}

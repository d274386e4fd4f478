import { toSmallPhoto } from '../../core/messenger/small-photo.ts';
import { BellOff, Pin } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from '../../core/i18n/use-translation.ts';
import { Link } from 'react-router';
import { Avatar } from '../../ui/avatar.tsx';
import { Badge } from '../../ui/badge.tsx';
import { cx } from '../../ui/cx.ts';

interface ChatRowView {
  accountId: string;
  name: string;
  /** Address of the profile photo. */
  photo: string | undefined;
  isAssistant: boolean;
  isOnline: boolean;
  /** Formatted time, such as "14:32" or "Yesterday". */
  when: string;
  /** The last message, the draft, or a typing indicator. */
  preview: ReactNode;
  unread: number;
  isMuted: boolean;
  isPinned: boolean;
}

interface ChatRowProps {
  chat: ChatRowView;
  to: string;
  isOpen: boolean;
}

export function ChatRow({ chat, to, isOpen }: ChatRowProps) {
  const { t } = useTranslation('chats');
  const { accountId, name, photo, isAssistant, isOnline, when, preview, unread, isMuted, isPinned } = chat;
  return (
    <Link
      to={to}
      aria-current={isOpen ? 'page' : undefined}
      className={cx(
        'mx-2 flex min-h-18 items-center gap-3 rounded-field px-3 outline-offset-[-2px] transition-colors',
        isOpen ? 'bg-accent-soft' : 'hover:bg-surface-2',
      )}
    >
      <Avatar accountId={accountId} name={name} picture={toSmallPhoto(photo)} isOnline={isOnline} size="large" />
      <span className="min-w-0 grow">
        <span className="flex items-baseline justify-between gap-2">
          <span className="flex min-w-0 items-center gap-1.5">
            <span dir="auto" className="truncate font-semibold">
              {name}
            </span>
            {isAssistant && <Badge kind={isOpen ? 'plain' : 'accent'}>{t('assistant')}</Badge>}
            {isMuted && <BellOff role="img" aria-label={t('muted')} className="size-3.5 shrink-0 text-muted" />}
          </span>
          <span className="figures shrink-0 text-small text-muted">{when}</span>
        </span>
        <span className="flex min-h-6 items-center justify-between gap-2">
          <span dir="auto" className="min-w-0 truncate text-muted">
            {preview}
          </span>
          {unread > 0 ? (
            <Badge kind={isMuted ? 'muted' : 'sun'} label={t('unread', { count: unread })}>
              {unread > 99 ? '99+' : unread}
            </Badge>
          ) : (
            isPinned && <Pin role="img" aria-label={t('pinned')} className="size-4 shrink-0 text-muted" />
          )}
        </span>
      </span>
    </Link>
  );
}

import { Pin, Star, Timer } from 'lucide-react';
import { useTranslation } from '../../../core/i18n/use-translation.ts';
import { formatTime } from '../../../core/i18n/format-date.ts';
import { type Status, Ticks } from '../../../core/messenger/ticks.tsx';
import { cx } from '../../../ui/cx.ts';

interface BubbleFootProps {
  at: number;
  isOwn: boolean;
  status: Status;
  isEdited: boolean;
  isStarred: boolean;
  isPinned: boolean;
  hasTimer: boolean;
  /** Draws a dark background, for use on top of a picture. */
  isOverlaid?: boolean;
}

/** Time and status, in the last line of the text where they fit. */
export function BubbleFoot(props: BubbleFootProps) {
  const { at, isOwn, status, isEdited, isStarred, isPinned, hasTimer, isOverlaid = false } = props;
  const { t } = useTranslation('chat');
  return (
    <span
      className={cx(
        'figures inline-flex items-center gap-1 text-meta whitespace-nowrap select-none',
        isOverlaid
          ? 'absolute right-3 bottom-3 rounded-round bg-scrim px-2 py-0.5 text-on-scrim'
          : cx('float-right mt-1 ml-3 translate-y-0.5', isOwn ? 'text-own-meta' : 'text-muted'),
      )}
    >
      {isPinned && <Pin role="img" aria-label={t('message.pinned')} className="size-3" />}
      {isStarred && <Star role="img" aria-label={t('message.starred')} className="size-3 fill-current" />}
      {hasTimer && <Timer role="img" aria-label={t('message.disappears')} className="size-3" />}
      {isEdited && <span>{t('message.edited')}</span>}
      <time dateTime={new Date(at).toISOString()}>{formatTime(new Date(at))}</time>
      {isOwn && <Ticks status={status} />}
    </span>
  );
}

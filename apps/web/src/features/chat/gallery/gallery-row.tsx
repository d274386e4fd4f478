import type { Message } from '@dostar/client';
import { MessageSquareText } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from '../../../core/i18n/use-translation.ts';
import { formatDay } from '../../../core/i18n/format-date.ts';
import { useLocale } from '../../../core/i18n/use-locale.ts';
import { useNow } from '../../../core/lib/use-now.ts';
import { IconButton } from '../../../ui/icon-button.tsx';

interface GalleryRowProps {
  message: Message;
  onJump: (message: Message) => void;
  children: ReactNode;
}

/** A shared item with its date and a button that jumps to its message. */
export function GalleryRow({ message, onJump, children }: GalleryRowProps) {
  const { t } = useTranslation('chat');
  const { code } = useLocale();
  const now = useNow();
  return (
    <li className="flex items-center gap-2 rounded-field py-1.5">
      <div className="min-w-0 grow">{children}</div>
      <span className="figures shrink-0 text-small text-muted">
        {formatDay(code, new Date(message.at), new Date(now))}
      </span>
      <IconButton
        label={t('gallery.show')}
        icon={<MessageSquareText aria-hidden className="size-5" />}
        onClick={() => onJump(message)}
      />
    </li>
  );
}

import { Copy, Forward, Trash2, X } from 'lucide-react';
import { useTranslation } from '../../core/i18n/use-translation.ts';
import { IconButton } from '../../ui/icon-button.tsx';

interface SelectionBarProps {
  count: number;
  onCopy: () => void;
  onForward: () => void;
  onDelete: () => void;
  onCancel: () => void;
}

/** Replaces the header while the user selects messages. */
export function SelectionBar({ count, onCopy, onForward, onDelete, onCancel }: SelectionBarProps) {
  const { t } = useTranslation('chat');
  return (
    <div
      role="group"
      aria-label={t('selection.count', { count })}
      onKeyDown={(event) => event.key === 'Escape' && onCancel()}
      className="flex min-h-15.5 shrink-0 items-center gap-1 border-b border-line bg-accent-soft px-2 sm:px-4"
    >
      <IconButton label={t('selection.cancel')} icon={<X aria-hidden className="size-6" />} onClick={onCancel} />
      <p aria-live="polite" className="min-w-0 grow truncate font-semibold">
        {t('selection.count', { count })}
      </p>
      <IconButton
        label={t('actions.copy')}
        icon={<Copy aria-hidden className="size-5.5" />}
        disabled={count === 0}
        onClick={onCopy}
      />
      <IconButton
        label={t('actions.forward')}
        icon={<Forward aria-hidden className="size-5.5" />}
        disabled={count === 0}
        onClick={onForward}
      />
      <IconButton
        label={t('actions.delete')}
        icon={<Trash2 aria-hidden className="size-5.5" />}
        disabled={count === 0}
        onClick={onDelete}
      />
    </div>
  );
}

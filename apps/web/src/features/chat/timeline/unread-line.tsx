import { useTranslation } from '../../../core/i18n/use-translation.ts';

/** Keeps the position that it had when the chat was opened, until the user leaves the chat. */
export function UnreadLine({ count }: { count: number }) {
  const { t } = useTranslation('chat');
  return (
    <div role="separator" className="flex items-center gap-3 py-2.5 text-small font-semibold text-accent">
      <span aria-hidden className="h-px grow bg-accent/40" />
      {t('timeline.unread', { count })}
      <span aria-hidden className="h-px grow bg-accent/40" />
    </div>
  );
}

import type { Client, Message } from '@dostar/client';
import { useTranslation } from '../../../core/i18n/use-translation.ts';
import { formatDate, formatTime } from '../../../core/i18n/format-date.ts';
import { Ticks } from '../../../core/messenger/ticks.tsx';
import { useLive } from '../../../core/lib/use-live.ts';
import { useLocale } from '../../../core/i18n/use-locale.ts';
import { Dialog } from '../../../ui/dialog.tsx';

interface InfoDialogProps {
  client: Client;
  message: Message;
  onClose: () => void;
}

/** Delivery status of an own message. Times are known only if this device was online to receive the receipt. */
export function InfoDialog({ client, message, onClose }: InfoDialogProps) {
  const { t } = useTranslation('chat');
  const { code } = useLocale();
  const { status, at } = useLive(client.live.message(message)) ?? message;
  const { deliveredAt, readAt } = useLive(client.live.receipts(message)) ?? {};
  const isRead = status === 'read';
  const lines = [
    { state: 'sent', value: describe(at) },
    { state: 'delivered', value: isRead || status === 'delivered' ? describe(deliveredAt) : t('info.notYet') },
    { state: 'read', value: isRead ? describe(readAt) : t('info.notYet') },
  ] as const;

  function describe(when: number | undefined): string {
    return when === undefined ? t('info.yes') : `${formatDate(code, new Date(when))}, ${formatTime(new Date(when))}`;
  }

  return (
    <Dialog isOpen onOpenChange={(isOpen) => !isOpen && onClose()} title={t('info.title')}>
      <dl className="mt-4 grid gap-3">
        {lines.map(({ state, value }) => (
          <div key={state} className="flex items-center gap-3">
            <dt className="flex items-center gap-2 text-muted">
              <span aria-hidden className="contents">
                <Ticks status={state} />
              </span>
              {t(`info.${state}`)}
            </dt>
            <dd className="figures grow text-right">{value}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}

import { Check, CheckCheck, CircleAlert, Clock } from 'lucide-react';
import { useTranslation } from '../i18n/use-translation.ts';

export type Status = 'sending' | 'sent' | 'delivered' | 'read' | 'failed';

const tints = { sending: '', sent: '', delivered: '', read: 'text-accent', failed: 'text-danger' };
const icons = { sending: Clock, sent: Check, delivered: CheckCheck, read: CheckCheck, failed: CircleAlert };

/** The status of an own message as an icon, with its text for screen readers. */
export function Ticks({ status }: { status: Status }) {
  const { t } = useTranslation('said');
  const Icon = icons[status];
  return (
    <span
      role="img"
      aria-label={t(`status.${status}`)}
      title={t(`status.${status}`)}
      data-status={status}
      className={`shrink-0 ${tints[status]}`}
    >
      <Icon aria-hidden className="size-4" strokeWidth={2.25} />
    </span>
  );
}

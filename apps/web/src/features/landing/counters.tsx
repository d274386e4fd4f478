import { useTranslation } from '../../core/i18n/use-translation.ts';
import { formatNumber } from '../../core/i18n/format-number.ts';
import { useLocale } from '../../core/i18n/use-locale.ts';
import { Skeleton } from '../../ui/skeleton.tsx';
import { useStats } from './use-stats.ts';

export function Counters() {
  const { t } = useTranslation('landing');
  const { code } = useLocale();
  const stats = useStats();
  const counters = [
    { key: 'users', value: stats?.users, text: t('counters.users', { count: stats?.users ?? 2 }) },
    { key: 'messages', value: stats?.messages, text: t('counters.messages', { count: stats?.messages ?? 2 }) },
    {
      key: 'verified',
      value: stats?.verified,
      text: t('counters.verified', { count: stats?.verified ?? 2 }),
    },
  ];
  return (
    <dl aria-label={t('counters.label')} className="mt-10 grid max-w-lg grid-cols-3 gap-4">
      {counters.map(({ key, value, text }) => (
        <div key={key} className="flex flex-col-reverse justify-end">
          <dt className="text-small text-muted">{text}</dt>
          <dd className="flex h-9 items-center text-title font-bold sm:text-headline">
            {value === undefined ? <Skeleton className="h-6 w-20" /> : formatNumber(code, value)}
          </dd>
        </div>
      ))}
    </dl>
  );
}

import type { Client } from '@dostar/client';
import { useCallback } from 'react';
import { formatBytes, formatPercent } from '../../../core/i18n/format-number.ts';
import { useLocale } from '../../../core/i18n/use-locale.ts';
import { useTranslation } from '../../../core/i18n/use-translation.ts';
import { useLoaded } from '../../../core/lib/use-loaded.ts';
import { ProgressBar } from '../../../ui/progress-bar.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { SettingsCard } from '../settings-card.tsx';

/** What the account's files take on the server. */
export function ServerStorageCard({ client }: { client: Client }) {
  const { t } = useTranslation('preferences');
  const { code } = useLocale();
  const load = useCallback(() => client.readStorageUsage(), [client]);
  const { value: usage } = useLoaded(load, t('storage.serverFailed'));
  if (usage === undefined) {
    return (
      <SettingsCard title={t('storage.serverTitle')} text={t('storage.serverText')}>
        <Skeleton className="h-10" />
      </SettingsCard>
    );
  }
  const { used, limit } = usage;
  const label = t('storage.serverUsed', { used: formatBytes(code, used), limit: formatBytes(code, limit) });
  const percent = limit === 0 ? 100 : (used / limit) * 100;
  return (
    <SettingsCard title={t('storage.serverTitle')} text={t('storage.serverText')}>
      <p className="mb-3 font-semibold">{label}</p>
      <ProgressBar value={percent} label={label} text={formatPercent(code, percent)} />
    </SettingsCard>
  );
}

import { useTranslation } from '../../../core/i18n/use-translation.ts';
import { useMessenger } from '../../../core/messenger/messenger.ts';
import { pageMeta } from '../../../core/lib/page-meta.ts';
import { requestTexts } from '../../../core/i18n/texts.ts';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { settingsCardClass } from '../settings-card.tsx';
import { SettingsHeading } from '../settings-heading.tsx';
import { ExportCard } from './export-card.tsx';
import { ServerStorageCard } from './server-storage-card.tsx';
import { StorageUsageCard } from './storage-usage-card.tsx';

await requestTexts('settings', 'preferences', 'said');

export const meta = pageMeta('preferences', 'storage');

export default function StoragePage() {
  const { t } = useTranslation('preferences');
  const client = useMessenger();
  return (
    <>
      <SettingsHeading title={t('pages.storage.title')} lead={t('pages.storage.description')} />
      {client === undefined ? (
        <section className={settingsCardClass} aria-busy>
          <Skeleton className="h-40" />
        </section>
      ) : (
        <>
          <ServerStorageCard client={client} />
          <StorageUsageCard client={client} />
          <ExportCard client={client} />
        </>
      )}
    </>
  );
}

import type { Client } from '@dostar/client';
import { useEffect, useState } from 'react';
import { useTranslation } from '../../../core/i18n/use-translation.ts';
import { showFeedback, successDuration } from '../../../core/lib/feedback.ts';
import { formatBytes, formatNumber } from '../../../core/i18n/format-number.ts';
import { useLocale } from '../../../core/i18n/use-locale.ts';
import { CustomButton } from '../../../ui/custom-button.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { SettingsCard } from '../settings-card.tsx';

interface StorageUsage {
  used: number;
  allowed: number;
  messages: number;
  away: number;
}

/** Storage used in this browser, with a button to free some. */
export function StorageUsageCard({ client }: { client: Client }) {
  const { t } = useTranslation('preferences');
  const { code } = useLocale();
  const [storageUsage, setStorageUsage] = useState<StorageUsage>();
  const [isWaiting, setIsWaiting] = useState(false);

  useEffect(() => {
    void measureStorage(client).then(setStorageUsage);
  }, [client]);

  async function handleFree(): Promise<void> {
    setIsWaiting(true);
    const freed = await client.freeSpace();
    setStorageUsage(await measureStorage(client));
    setIsWaiting(false);
    showFeedback('success', freed > 0 ? t('storage.freed') : t('storage.nothing'), successDuration);
  }

  return (
    <SettingsCard title={t('storage.title')} text={t('storage.encrypted')}>
      {storageUsage === undefined ? (
        <Skeleton className="h-16" />
      ) : (
        <p>
          <span className="text-title font-bold">
            {t('storage.used', { used: formatBytes(code, storageUsage.used) })}
          </span>{' '}
          <span className="text-muted">{t('storage.of', { all: formatBytes(code, storageUsage.allowed) })}</span>
          <br />
          {t('storage.messages', { count: storageUsage.messages })}
          {storageUsage.away > 0 && (
            <span className="block text-muted">
              {t('storage.away', { number: formatNumber(code, storageUsage.away) })}
            </span>
          )}
        </p>
      )}
      <p className="mt-4 mb-3 border-t border-line pt-4 text-muted">{t('storage.freeText')}</p>
      <CustomButton kind="secondary" isWaiting={isWaiting} onClick={() => void handleFree()}>
        {t('storage.free')}
      </CustomButton>
    </SettingsCard>
  );
}

async function measureStorage(client: Client): Promise<StorageUsage> {
  const { usage = 0, quota = 0 } = await navigator.storage.estimate();
  const { all, away } = await client.countMessages();
  return { used: usage, allowed: quota, messages: all, away };
}

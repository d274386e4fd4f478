import type { Client } from '@dostar/client';
import { useState } from 'react';
import { useTranslation } from '../../core/i18n/use-translation.ts';
import { explainError } from '../../core/lib/explain-error.ts';
import { showFeedback, successDuration } from '../../core/lib/feedback.ts';
import { withReauthentication } from '../../core/reauthentication/reauthentication.ts';
import { CustomButton } from '../../ui/custom-button.tsx';
import { AlertCard } from './alert-card.tsx';

/** Whether the data that this account's browsers share was overwritten without the account key. */
export function isVaultOverwritten(keys: Client['keys']): Promise<boolean> {
  return keys.isVaultOverwritten();
}

/** This browser can't encrypt until the data is restored. */
export function VaultOverwrittenAlert({ client }: { client: Client }) {
  const { t } = useTranslation('recovery');
  const [isWaiting, setIsWaiting] = useState(false);

  async function handleRestore(): Promise<void> {
    setIsWaiting(true);
    try {
      await withReauthentication(() => client.keys.restoreVault());
      showFeedback('success', t('news.overwritten.done'), successDuration);
    } catch (error) {
      explainError(error, { not_found: t('news.overwritten.gone'), other: t('give.failed') });
    } finally {
      setIsWaiting(false);
    }
  }

  return (
    <AlertCard title={t('news.overwritten.title')} text={t('news.overwritten.text')}>
      <CustomButton isWaiting={isWaiting} onClick={() => void handleRestore()}>
        {t('news.overwritten.restore')}
      </CustomButton>
    </AlertCard>
  );
}

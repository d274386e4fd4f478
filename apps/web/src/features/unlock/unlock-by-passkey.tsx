import { useState } from 'react';
import { useTranslation } from '../../core/i18n/use-translation.ts';
import { explainError } from '../../core/lib/explain-error.ts';
import { loadUnlocking } from '../../core/session/load-account.ts';
import { CustomButton } from '../../ui/custom-button.tsx';
import type { UnlockMethodProps } from './unlock-method-props.ts';

export function UnlockByPasskey({ account, onSettled }: UnlockMethodProps) {
  const { t } = useTranslation('recovery');
  const [isWaiting, setIsWaiting] = useState(false);

  async function handleOpen(): Promise<void> {
    setIsWaiting(true);
    try {
      const settled = await (await loadUnlocking()).openWithPasskey(account);
      if (settled) onSettled(settled);
    } catch (error) {
      explainError(error, { forbidden: t('passkey.doesNotOpen'), other: t('unlock.offline') });
    } finally {
      setIsWaiting(false);
    }
  }

  return (
    <div className="flex flex-col gap-4">
      <div>
        <h2 className="text-title font-bold">{t('ways.passkey.title')}</h2>
        <p className="mt-1 text-muted">{t('passkey.text')}</p>
      </div>
      <CustomButton size="large" isWide isWaiting={isWaiting} onClick={() => void handleOpen()}>
        {t('unlock.open')}
      </CustomButton>
    </div>
  );
}

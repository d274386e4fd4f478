import type { LockHeader } from '@dostar/client/app-lock';
import { AccountId } from '@dostar/protocol/ids';
import { Fingerprint } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from '../../core/i18n/use-translation.ts';
import { requestPasskeySecret, openAppLock } from '../../core/session/app-lock.ts';
import { Banner } from '../../ui/banner.tsx';
import { CustomButton } from '../../ui/custom-button.tsx';

interface PasskeyUnlockProps {
  account: string;
  passkey: NonNullable<LockHeader['passkey']>;
  onUnlocked: () => void;
}

export function PasskeyUnlock({ account, passkey, onUnlocked }: PasskeyUnlockProps) {
  const { t } = useTranslation('lock');
  const [isWrong, setIsWrong] = useState(false);
  const [isWaiting, setIsWaiting] = useState(false);

  async function handleUnlock(): Promise<void> {
    setIsWaiting(true);
    setIsWrong(false);
    try {
      const secret = await requestPasskeySecret(passkey.rpId, [passkey.credential]);
      if (secret === undefined) return;
      if (secret !== 'unfit' && (await openAppLock().unlock(AccountId.parse(account), secret))) return onUnlocked();
      setIsWrong(true);
    } catch {
      setIsWrong(true);
    } finally {
      setIsWaiting(false);
    }
  }

  return (
    <div className="flex flex-col gap-4">
      <div role="status">{isWrong && <Banner kind="error">{t('problems.wrongPasskey')}</Banner>}</div>
      <CustomButton
        size="large"
        isWide
        isWaiting={isWaiting}
        icon={<Fingerprint aria-hidden className="size-5" />}
        onClick={() => void handleUnlock()}
      >
        {t('screen.byPasskey')}
      </CustomButton>
    </div>
  );
}

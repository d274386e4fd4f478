import { Fingerprint } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from '../../core/i18n/use-translation.ts';
import { explainError } from '../../core/lib/explain-error.ts';
import { showFeedback, successDuration } from '../../core/lib/feedback.ts';
import { hasPasskeySupport, loadPasskeys } from '../../core/session/passkeys.ts';
import { enterSession } from '../../core/session/session.ts';
import { useFixed } from '../../core/lib/use-fixed.ts';
import { CustomButton } from '../../ui/custom-button.tsx';

/** Signs in with a passkey: the browser lists the passkeys of this site. */
export function PasskeyChoice() {
  const { t } = useTranslation('auth');
  const isSupported = useFixed(hasPasskeySupport, true);
  const [isWaiting, setIsWaiting] = useState(false);

  async function handleClick(): Promise<void> {
    setIsWaiting(true);
    try {
      const signedIn = await (await loadPasskeys()).signIn();
      if (!signedIn) return;
      if (signedIn.isOpen) showFeedback('success', t('signIn.done'), successDuration);
      else showFeedback('success', t('passkey.doesNotUnlock'));
      enterSession({ id: signedIn.account, username: undefined, name: undefined });
    } catch (error) {
      explainError(error, {
        passkey_refused: t('passkey.refused'),
        account_disabled: t('signIn.disabled'),
        rate_limited: t('common.tooOften'),
        unavailable: t('common.offline'),
        other: t('signIn.failed'),
      });
    } finally {
      setIsWaiting(false);
    }
  }

  if (!isSupported) return null;
  return (
    <div className="mt-3">
      <CustomButton
        kind="secondary"
        size="large"
        isWide
        icon={<Fingerprint aria-hidden className="size-5" />}
        isWaiting={isWaiting}
        onClick={() => void handleClick()}
      >
        {t('passkey.signIn')}
      </CustomButton>
    </div>
  );
}

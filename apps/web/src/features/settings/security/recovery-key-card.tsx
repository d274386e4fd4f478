import { AccountId } from '@dostar/protocol/ids';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { codeOf } from '../../../core/lib/failure.ts';
import { showFeedback } from '../../../core/lib/feedback.ts';
import { loadUnlocking } from '../../../core/session/load-account.ts';
import { withReauthentication } from '../../../core/reauthentication/reauthentication.ts';
import { useSession } from '../../../core/session/session.ts';
import { Badge } from '../../../ui/badge.tsx';
import { CustomButton } from '../../../ui/custom-button.tsx';
import { SettingsCard } from '../settings-card.tsx';
import { CheckKeyDialog } from './check-key-dialog.tsx';
import { ShowKeyDialog } from './show-key-dialog.tsx';

/** A key on paper for the day everything else is lost: made, shown once, checked. */
export function RecoveryKeyCard() {
  const { t } = useTranslation('settings');
  const session = useSession();
  const account = session.status === 'signed-in' ? AccountId.parse(session.account.id) : undefined;
  const [hasKey, setHasKey] = useState<boolean>();
  const [shown, setShown] = useState<string>();
  const [isChecking, setIsChecking] = useState(false);
  const [isWaiting, setIsWaiting] = useState(false);

  useEffect(() => {
    loadUnlocking()
      .then((unlocking) => unlocking.listWays())
      .then(({ hasRecoveryKey }) => setHasKey(hasRecoveryKey))
      .catch(() => showFeedback('error', t('common.offline')));
  }, [t]);

  async function handleMake(): Promise<void> {
    if (!account) return;
    setIsWaiting(true);
    try {
      setShown(await withReauthentication(async () => (await loadUnlocking()).makeRecoveryKey(account)));
      setHasKey(true);
    } catch (error) {
      const code = codeOf(error);
      if (code === 'forbidden') showFeedback('error', t('recoveryKey.locked'));
      else if (code !== 'reauthenticate') showFeedback('error', t('common.offline'));
    } finally {
      setIsWaiting(false);
    }
  }

  return (
    <SettingsCard title={t('recoveryKey.title')} text={t('recoveryKey.text')}>
      {hasKey !== undefined && (
        <>
          <p className="mb-4">
            <Badge kind={hasKey ? 'ok' : 'muted'}>{hasKey ? t('recoveryKey.there') : t('recoveryKey.none')}</Badge>
          </p>
          <div className="flex flex-wrap gap-2">
            <CustomButton
              kind={hasKey ? 'secondary' : 'primary'}
              isWaiting={isWaiting}
              onClick={() => void handleMake()}
            >
              {hasKey ? t('recoveryKey.renew') : t('recoveryKey.make')}
            </CustomButton>
            {hasKey && (
              <CustomButton kind="quiet" onClick={() => setIsChecking(true)}>
                {t('recoveryKey.check')}
              </CustomButton>
            )}
          </div>
        </>
      )}
      {shown !== undefined && <ShowKeyDialog words={shown} onClose={() => setShown(undefined)} />}
      {isChecking && account && <CheckKeyDialog account={account} onClose={() => setIsChecking(false)} />}
    </SettingsCard>
  );
}

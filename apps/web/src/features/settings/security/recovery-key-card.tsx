import { AccountId } from '@dostar/protocol/ids';
import { useState } from 'react';
import { useTranslation } from '../../../core/i18n/use-translation.ts';
import { explainError } from '../../../core/lib/explain-error.ts';
import { useLoaded } from '../../../core/lib/use-loaded.ts';
import { loadUnlocking } from '../../../core/session/load-account.ts';
import { withReauthentication } from '../../../core/reauthentication/reauthentication.ts';
import { useSession } from '../../../core/session/session.ts';
import { Badge } from '../../../ui/badge.tsx';
import { CustomButton } from '../../../ui/custom-button.tsx';
import { SettingsCard } from '../settings-card.tsx';
import { CheckKeyDialog } from './check-key-dialog.tsx';
import { ShowKeyDialog } from './show-key-dialog.tsx';

async function fetchHasKey(): Promise<boolean> {
  return (await (await loadUnlocking()).listWays()).hasRecoveryKey;
}

/** Creates, shows once and checks the recovery key, the last way to unlock the messages. */
export function RecoveryKeyCard() {
  const { t } = useTranslation('settings');
  const session = useSession();
  const account = session.status === 'signed-in' ? AccountId.parse(session.account.id) : undefined;
  const { value: hasKey, setValue: setHasKey } = useLoaded(fetchHasKey, t('common.offline'));
  const [shown, setShown] = useState<string>();
  const [isChecking, setIsChecking] = useState(false);
  const [isWaiting, setIsWaiting] = useState(false);

  async function handleMake(): Promise<void> {
    if (!account) return;
    setIsWaiting(true);
    try {
      setShown(await withReauthentication(async () => (await loadUnlocking()).makeRecoveryKey(account)));
      setHasKey(true);
    } catch (error) {
      explainError(error, { forbidden: t('recoveryKey.locked'), other: t('common.offline') });
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

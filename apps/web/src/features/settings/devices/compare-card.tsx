import { AccountId } from '@dostar/protocol/ids';
import { useState } from 'react';
import { useTranslation } from '../../../core/i18n/use-translation.ts';
import { showFeedback } from '../../../core/lib/feedback.ts';
import { useMessenger } from '../../../core/messenger/messenger.ts';
import { useSession } from '../../../core/session/session.ts';
import { CustomButton } from '../../../ui/custom-button.tsx';
import { SettingsCard } from '../settings-card.tsx';

/** Verifies another device of the user: both devices show the same seven emoji. */
export function CompareCard() {
  const { t } = useTranslation('contacts');
  const client = useMessenger();
  const session = useSession();
  const [isWaiting, setIsWaiting] = useState(false);

  async function handleCompare(): Promise<void> {
    if (client === undefined || session.status !== 'signed-in') return;
    setIsWaiting(true);
    await client.keys
      .requestVerification(AccountId.parse(session.account.id))
      .catch(() => showFeedback('error', t('ownDevices.failed')));
    setIsWaiting(false);
  }

  return (
    <SettingsCard title={t('ownDevices.title')} text={t('ownDevices.text')}>
      <p>
        <CustomButton kind="secondary" isWaiting={isWaiting} onClick={() => void handleCompare()}>
          {t('ownDevices.compare')}
        </CustomButton>
      </p>
    </SettingsCard>
  );
}

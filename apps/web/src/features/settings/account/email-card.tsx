import type { EmailState } from '@dostar/client/account';
import { useState } from 'react';
import { useTranslation } from '../../../core/i18n/use-translation.ts';
import { showFeedback, successDuration } from '../../../core/lib/feedback.ts';
import { useLoaded } from '../../../core/lib/use-loaded.ts';
import { loadAccountSettings } from '../../../core/session/load-account.ts';
import { CustomButton } from '../../../ui/custom-button.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { SettingsCard } from '../settings-card.tsx';
import { EmailChangeDialog } from './email-change-dialog.tsx';

async function fetchEmail(): Promise<EmailState> {
  return (await loadAccountSettings()).getEmail();
}

/** The account's email and a pending change, which one or two emails must confirm. */
export function EmailCard() {
  const { t } = useTranslation('settings');
  const { value: state, reload } = useLoaded(fetchEmail, t('common.offline'));
  const [isChanging, setIsChanging] = useState(false);

  async function handleCancel(): Promise<void> {
    try {
      await (await loadAccountSettings()).cancelEmailChange();
      await reload();
      showFeedback('success', t('email.cancelled'), successDuration);
    } catch {
      showFeedback('error', t('common.offline'));
    }
  }

  if (state === undefined) {
    return (
      <SettingsCard title={t('email.title')}>
        <Skeleton className="h-11" />
      </SettingsCard>
    );
  }
  const { email, change } = state;
  return (
    <SettingsCard title={t('email.title')} text={t('email.text')}>
      <p className="font-semibold break-all">{email ?? t('email.none')}</p>
      {change && (
        <div className="mt-4 rounded-field bg-accent-soft p-4">
          <p className="font-semibold break-all">{t('email.changing', { address: change.address })}</p>
          <ul className="mt-2 text-muted">
            <li>{change.isOldConfirmed ? t('email.oldDone') : t('email.oldWaits')}</li>
            <li>{change.isNewConfirmed ? t('email.newDone') : t('email.newWaits')}</li>
          </ul>
          <p className="mt-3">
            <CustomButton kind="quiet" onClick={() => void handleCancel()}>
              {t('email.cancel')}
            </CustomButton>
          </p>
        </div>
      )}
      <p className="mt-4">
        <CustomButton kind="secondary" onClick={() => setIsChanging(true)}>
          {t('email.change')}
        </CustomButton>
      </p>
      {isChanging && (
        <EmailChangeDialog
          onClose={() => setIsChanging(false)}
          onStarted={() => {
            setIsChanging(false);
            void reload();
          }}
        />
      )}
    </SettingsCard>
  );
}

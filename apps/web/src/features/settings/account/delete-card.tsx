import { AccountId } from '@dostar/protocol/ids';
import { useState } from 'react';
import { useTranslation } from '../../../core/i18n/use-translation.ts';
import { explainError } from '../../../core/lib/explain-error.ts';
import { showFeedback } from '../../../core/lib/feedback.ts';
import { loadAccountSettings } from '../../../core/session/load-account.ts';
import { paths } from '../../../core/lib/paths.ts';
import { withReauthentication } from '../../../core/reauthentication/reauthentication.ts';
import { signOut } from '../../../core/session/session-end.ts';
import { useSession } from '../../../core/session/session.ts';
import { useLocalPath } from '../../../core/i18n/use-locale.ts';
import { Checkbox } from '../../../ui/checkbox.tsx';
import { CustomButton } from '../../../ui/custom-button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { SettingsCard } from '../settings-card.tsx';

/** Deletes the account: explains what is deleted, asks for confirmation, then for re-authentication. */
export function DeleteCard() {
  const { t } = useTranslation('settings');
  const local = useLocalPath();
  const session = useSession();
  const [isAsking, setIsAsking] = useState(false);
  const [isSure, setIsSure] = useState(false);
  const [isWaiting, setIsWaiting] = useState(false);

  async function handleDelete(): Promise<void> {
    if (session.status !== 'signed-in') return;
    const account = AccountId.parse(session.account.id);
    setIsWaiting(true);
    try {
      await withReauthentication(async () => (await loadAccountSettings()).deleteAccount(account));
      // Removes all data of the account from this browser; the page load that follows clears the memory.
      await signOut(account);
      window.location.assign(local(paths.home));
    } catch (error) {
      setIsWaiting(false);
      explainError(error, { forbidden: refuse, other: t('common.offline') });
    }
  }

  function refuse(): void {
    setIsAsking(false);
    showFeedback('error', t('common.older'));
  }

  return (
    <SettingsCard title={t('delete.title')} text={t('delete.text')}>
      <CustomButton kind="danger" onClick={() => setIsAsking(true)}>
        {t('delete.open')}
      </CustomButton>
      {isAsking && (
        <Dialog
          isOpen
          onOpenChange={() => setIsAsking(false)}
          title={t('delete.ask')}
          description={t('delete.goes')}
          actions={
            <>
              <CustomButton kind="secondary" onClick={() => setIsAsking(false)}>
                {t('delete.keep')}
              </CustomButton>
              <CustomButton kind="danger" disabled={!isSure} isWaiting={isWaiting} onClick={() => void handleDelete()}>
                {t('delete.submit')}
              </CustomButton>
            </>
          }
        >
          <ul className="mt-3 list-disc pl-5 text-muted">
            <li>{t('delete.within')}</li>
            <li>{t('delete.stays')}</li>
            <li>{t('delete.name')}</li>
          </ul>
          <div className="mt-4">
            <Checkbox checked={isSure} onCheckedChange={setIsSure}>
              {t('delete.sure')}
            </Checkbox>
          </div>
        </Dialog>
      )}
    </SettingsCard>
  );
}

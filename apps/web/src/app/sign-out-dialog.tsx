import { useState } from 'react';
import { useTranslation } from '../core/i18n/use-translation.ts';
import { paths } from '../core/lib/paths.ts';
import { signOut } from '../core/session/session-end.ts';
import { useSession } from '../core/session/session.ts';
import { useLocalPath } from '../core/i18n/use-locale.ts';
import { CustomButton } from '../ui/custom-button.tsx';
import { Dialog } from '../ui/dialog.tsx';

export function SignOutDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('shell');
  const local = useLocalPath();
  const session = useSession();
  const [isLeaving, setIsLeaving] = useState(false);

  async function handleSignOut(): Promise<void> {
    setIsLeaving(true);
    if (session.status === 'signed-in') await signOut(session.account.id);
    // A full page load: nothing of the account stays in memory.
    window.location.assign(local(paths.home));
  }

  return (
    <Dialog
      isOpen
      onOpenChange={onClose}
      title={t('account.confirmSignOut')}
      description={t('account.signOutNote')}
      actions={
        <>
          <CustomButton kind="secondary" onClick={onClose}>
            {t('account.stay')}
          </CustomButton>
          <CustomButton kind="danger" isWaiting={isLeaving} onClick={() => void handleSignOut()}>
            {t('account.signOut')}
          </CustomButton>
        </>
      }
    />
  );
}

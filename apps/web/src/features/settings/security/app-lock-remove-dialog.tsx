import type { AccountId } from '@dostar/protocol/ids';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { openAppLock } from '../../../core/app-lock.ts';
import { showFeedback, successDuration } from '../../../core/feedback.ts';
import { readField } from '../../../forms/read-field.ts';
import { CustomButton } from '../../../ui/custom-button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { type PresentLock, PresentSecret, readPresent } from './present-secret.tsx';

interface AppLockRemoveDialogProps {
  account: AccountId;
  lock: PresentLock;
  onDone: () => void;
  onClose: () => void;
}

export function AppLockRemoveDialog({ account, lock, onDone, onClose }: AppLockRemoveDialogProps) {
  const { t } = useTranslation('lock');
  const [isWrong, setIsWrong] = useState(false);
  const [isWaiting, setIsWaiting] = useState(false);

  async function remove(typed: string): Promise<void> {
    setIsWaiting(true);
    setIsWrong(false);
    try {
      const present = await readPresent(lock, typed);
      if (present === undefined) return;
      if (!(await openAppLock().change(account, present, undefined))) return setIsWrong(true);
      showFeedback('success', t('removing.done'), successDuration);
      onDone();
    } catch {
      showFeedback('error', t('problems.failed'));
    } finally {
      setIsWaiting(false);
    }
  }

  function handleSubmit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    void remove(readField(event, 'present'));
  }

  return (
    <Dialog isOpen onOpenChange={onClose} title={t('removing.title')} description={t('removing.text')}>
      <form noValidate onSubmit={handleSubmit} className="mt-5 flex flex-col gap-4">
        <PresentSecret lock={lock} isWrong={isWrong} />
        <div className="flex flex-wrap justify-end gap-3">
          <CustomButton kind="secondary" onClick={onClose}>
            {t('set.cancel')}
          </CustomButton>
          <CustomButton type="submit" kind="danger" isWaiting={isWaiting}>
            {t('removing.submit')}
          </CustomButton>
        </div>
      </form>
    </Dialog>
  );
}

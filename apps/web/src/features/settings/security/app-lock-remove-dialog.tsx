import type { AccountId } from '@dostar/protocol/ids';
import type { FormEvent } from 'react';
import { useTranslation } from '../../../core/i18n/use-translation.ts';
import { readField } from '../../../forms/read-field.ts';
import { CustomButton } from '../../../ui/custom-button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { type CurrentLock, CurrentSecret } from './current-secret.tsx';
import { useLockChange } from './use-lock-change.ts';

interface AppLockRemoveDialogProps {
  account: AccountId;
  lock: CurrentLock;
  onDone: () => void;
  onClose: () => void;
}

export function AppLockRemoveDialog({ account, lock, onDone, onClose }: AppLockRemoveDialogProps) {
  const { t } = useTranslation('lock');
  const { change, isWrong, isWaiting } = useLockChange({ account, lock, done: 'removing.done', onDone });

  function handleSubmit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    void change(readField(event, 'present'), async () => undefined);
  }

  return (
    <Dialog isOpen onOpenChange={onClose} title={t('removing.title')} description={t('removing.text')}>
      <form noValidate onSubmit={handleSubmit} className="mt-5 flex flex-col gap-4">
        <CurrentSecret lock={lock} isWrong={isWrong} />
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

import type { AccountId } from '@dostar/protocol/ids';
import { type FormEvent, useState } from 'react';
import { useTranslation } from '../../../core/i18n/use-translation.ts';
import { codeOf } from '../../../core/lib/failure.ts';
import { showFeedback, successDuration } from '../../../core/lib/feedback.ts';
import { loadUnlocking } from '../../../core/session/load-account.ts';
import { CustomButton } from '../../../ui/custom-button.tsx';
import { CustomTextArea } from '../../../ui/custom-text-area.tsx';
import { Dialog } from '../../../ui/dialog.tsx';

interface CheckKeyDialogProps {
  account: AccountId;
  onClose: () => void;
}

type Problem = 'mistyped' | 'notYours' | 'offline';

/** Checks whether a recovery key still opens the account. The key never leaves this browser. */
export function CheckKeyDialog({ account, onClose }: CheckKeyDialogProps) {
  const { t } = useTranslation('settings');
  const [problem, setProblem] = useState<Problem>();
  const [isWaiting, setIsWaiting] = useState(false);

  async function check(typed: string): Promise<void> {
    setIsWaiting(true);
    setProblem(undefined);
    try {
      if (await (await loadUnlocking()).isRecoveryKey(account, typed)) {
        showFeedback('success', t('recoveryKey.right'), successDuration);
        onClose();
      } else setProblem('notYours');
    } catch (error) {
      setProblem(codeOf(error) === 'invalid_request' ? 'mistyped' : 'offline');
    } finally {
      setIsWaiting(false);
    }
  }

  function handleSubmit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    const typed = new FormData(event.currentTarget).get('key');
    void check(typeof typed === 'string' ? typed : '');
  }

  return (
    <Dialog isOpen onOpenChange={onClose} title={t('recoveryKey.check')} description={t('recoveryKey.checkText')}>
      <form noValidate onSubmit={handleSubmit} className="mt-5 flex flex-col gap-5">
        <CustomTextArea
          label={t('recoveryKey.title')}
          name="key"
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          error={problem && t(`recoveryKey.problems.${problem}`)}
        />
        <div className="flex justify-end">
          <CustomButton type="submit" isWaiting={isWaiting}>
            {t('recoveryKey.checkSubmit')}
          </CustomButton>
        </div>
      </form>
    </Dialog>
  );
}

import { type FormEvent, useState } from 'react';
import { useTranslation } from '../../core/i18n/use-translation.ts';
import { explainError } from '../../core/lib/explain-error.ts';
import { showFeedback } from '../../core/lib/feedback.ts';
import { loadUnlocking } from '../../core/session/load-account.ts';
import { CustomButton } from '../../ui/custom-button.tsx';
import { CustomPasswordInput } from '../../ui/custom-password-input.tsx';
import { Dialog } from '../../ui/dialog.tsx';

interface LockAccountDialogProps {
  onClose: () => void;
  onLocked: () => void;
}

type Problem = 'wrong' | 'tooOften' | 'failed';

/** "It was not me": the old password is restored, and the attacker's sessions end. */
export function LockAccountDialog({ onClose, onLocked }: LockAccountDialogProps) {
  const { t } = useTranslation('recovery');
  const [problem, setProblem] = useState<Problem>();
  const [isWaiting, setIsWaiting] = useState(false);

  async function lock(password: string): Promise<void> {
    setIsWaiting(true);
    setProblem(undefined);
    try {
      await (await loadUnlocking()).lock(password);
      showFeedback('success', t('lock.done'));
      onLocked();
      onClose();
    } catch (error) {
      explainError(error, {
        wrong_password: () => setProblem('wrong'),
        rate_limited: () => setProblem('tooOften'),
        other: () => setProblem('failed'),
      });
    } finally {
      setIsWaiting(false);
    }
  }

  function handleSubmit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    const password = new FormData(event.currentTarget).get('password');
    void lock(typeof password === 'string' ? password : '');
  }

  return (
    <Dialog isOpen onOpenChange={onClose} title={t('lock.title')} description={t('lock.text')}>
      <form noValidate onSubmit={handleSubmit} className="mt-5 flex flex-col gap-5">
        <CustomPasswordInput label={t('lock.label')} name="password" error={problem && t(`lock.${problem}`)} />
        <div className="flex flex-wrap justify-end gap-3">
          <CustomButton kind="secondary" onClick={onClose}>
            {t('lock.cancel')}
          </CustomButton>
          <CustomButton type="submit" kind="danger" isWaiting={isWaiting}>
            {t('lock.submit')}
          </CustomButton>
        </div>
      </form>
    </Dialog>
  );
}

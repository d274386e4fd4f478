import { type FormEvent, useState } from 'react';
import { useTranslation } from '../../../core/i18n/use-translation.ts';
import { explainError } from '../../../core/lib/explain-error.ts';
import { showFeedback, successDuration } from '../../../core/lib/feedback.ts';
import { loadAccountSettings } from '../../../core/session/load-account.ts';
import { withReauthentication } from '../../../core/reauthentication/reauthentication.ts';
import { useLocale } from '../../../core/i18n/use-locale.ts';
import { CustomButton } from '../../../ui/custom-button.tsx';
import { CustomInput } from '../../../ui/custom-input.tsx';
import { Dialog } from '../../../ui/dialog.tsx';

interface EmailChangeDialogProps {
  onClose: () => void;
  onStarted: () => void;
}

type Problem = 'invalid' | 'taken' | 'older' | 'tooOften' | 'offline';

export function EmailChangeDialog({ onClose, onStarted }: EmailChangeDialogProps) {
  const { t } = useTranslation('settings');
  const { code: locale } = useLocale();
  const [problem, setProblem] = useState<Problem>();
  const [isWaiting, setIsWaiting] = useState(false);

  async function start(email: string): Promise<void> {
    setIsWaiting(true);
    setProblem(undefined);
    try {
      await withReauthentication(async () => (await loadAccountSettings()).startEmailChange(email, locale));
      showFeedback('success', t('email.sent'), successDuration);
      onStarted();
    } catch (error) {
      explainError(error, {
        invalid_request: () => setProblem('invalid'),
        email_taken: () => setProblem('taken'),
        forbidden: () => setProblem('older'),
        rate_limited: () => setProblem('tooOften'),
        other: () => setProblem('offline'),
      });
    } finally {
      setIsWaiting(false);
    }
  }

  function handleSubmit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    const email = new FormData(event.currentTarget).get('email');
    void start(typeof email === 'string' ? email.trim() : '');
  }

  return (
    <Dialog isOpen onOpenChange={onClose} title={t('email.change')} description={t('email.how')}>
      <form noValidate onSubmit={handleSubmit} className="mt-5 flex flex-col gap-5">
        <CustomInput
          label={t('email.new')}
          name="email"
          type="email"
          inputMode="email"
          autoComplete="email"
          autoCapitalize="none"
          spellCheck={false}
          error={problem && t(`email.problems.${problem}`)}
        />
        <div className="flex flex-wrap justify-end gap-3">
          <CustomButton kind="secondary" onClick={onClose}>
            {t('common.cancel')}
          </CustomButton>
          <CustomButton type="submit" isWaiting={isWaiting}>
            {t('email.submit')}
          </CustomButton>
        </div>
      </form>
    </Dialog>
  );
}

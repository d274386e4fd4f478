import { AccountId } from '@dostar/protocol/ids';
import { type FormEvent, useState } from 'react';
import { useTranslation } from '../../../core/i18n/use-translation.ts';
import { explainError } from '../../../core/lib/explain-error.ts';
import { showFeedback, successDuration } from '../../../core/lib/feedback.ts';
import { loadAccountSettings } from '../../../core/session/load-account.ts';
import { nudgeMessenger } from '../../../core/messenger/messenger.ts';
import { withReauthentication } from '../../../core/reauthentication/reauthentication.ts';
import { useSession } from '../../../core/session/session.ts';
import { Checkbox } from '../../../ui/checkbox.tsx';
import { CustomButton } from '../../../ui/custom-button.tsx';
import { CustomPasswordInput } from '../../../ui/custom-password-input.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { NewPasswordFields } from '../../../forms/new-password-fields.tsx';
import { focusFirstProblem, readField } from '../../../forms/read-field.ts';
import { usePasswordAdvice } from '../../../forms/use-password-advice.ts';
import { checkNewPassword, type PasswordProblems } from '../../../forms/check-new-password.ts';

type Problems = PasswordProblems & { old?: 'oldRequired' | 'oldWrong' };

/** The old password decrypts the account key, the new one encrypts it, and the server replaces both in one step. */
export function PasswordDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('settings');
  const { t: tAuth } = useTranslation('auth');
  const session = useSession();
  const [problems, setProblems] = useState<Problems>({});
  const [isWaiting, setIsWaiting] = useState(false);
  const [endOthers, setEndOthers] = useState(false);
  const [isLeaked, setIsLeaked] = useState(false);
  const advice = usePasswordAdvice();

  async function change(old: string, next: string): Promise<void> {
    if (session.status !== 'signed-in') return;
    setIsWaiting(true);
    try {
      const account = AccountId.parse(session.account.id);
      const accountSettings = await loadAccountSettings();
      // The old password is one factor; an account with a second factor must provide that too.
      await withReauthentication(() => accountSettings.changePassword({ account, old, next, endOthers, isLeaked }));
      if (isLeaked) nudgeMessenger();
      showFeedback('success', t(isLeaked ? 'password.renewed' : 'password.done'), successDuration);
      onClose();
    } catch (error) {
      explainError(error, {
        wrong_password: () => setProblems({ old: 'oldWrong' }),
        use_google: tAuth('signIn.useGoogle'),
        forbidden: t('password.locked'),
        rate_limited: tAuth('common.tooOften'),
        other: t('common.offline'),
      });
    } finally {
      setIsWaiting(false);
    }
  }

  function handleSubmit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    const old = readField(event, 'old');
    const form = { password: readField(event, 'password'), confirmation: readField(event, 'confirmation') };
    const found: Problems = { ...(old === '' && { old: 'oldRequired' as const }), ...checkNewPassword(form) };
    setProblems(found);
    const names = Object.keys(found);
    if (names.length > 0) focusFirstProblem(event, names);
    else if (advice.isAccepted(form.password)) void change(old, form.password);
  }

  return (
    <Dialog isOpen onOpenChange={onClose} title={t('password.change')}>
      <form noValidate onSubmit={handleSubmit} className="mt-5 flex flex-col gap-4">
        <CustomPasswordInput
          label={t('password.old')}
          name="old"
          error={problems.old && t(`password.${problems.old}`)}
        />
        <NewPasswordFields label={tAuth('fields.newPassword')} problems={problems} advice={advice} />
        <Checkbox checked={endOthers || isLeaked} onCheckedChange={setEndOthers}>
          {t('password.endOthers')}
        </Checkbox>
        <Checkbox checked={isLeaked} onCheckedChange={setIsLeaked}>
          {t('password.leaked')}
        </Checkbox>
        {isLeaked && <p className="text-muted">{t('password.leakedText')}</p>}
        <div className="flex flex-wrap justify-end gap-3">
          <CustomButton kind="secondary" onClick={onClose}>
            {t('common.cancel')}
          </CustomButton>
          <CustomButton type="submit" isWaiting={isWaiting}>
            {t('password.submit')}
          </CustomButton>
        </div>
      </form>
    </Dialog>
  );
}

import type { AccountId } from '@dostar/protocol/ids';
import { Fingerprint } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from '../../../core/i18n/use-translation.ts';
import { useNavigate } from 'react-router';
import { explainError } from '../../../core/lib/explain-error.ts';
import { showFeedback, successDuration } from '../../../core/lib/feedback.ts';
import { paths } from '../../../core/lib/paths.ts';
import { signOut } from '../../../core/session/session-end.ts';
import { useLocalPath } from '../../../core/i18n/use-locale.ts';
import { CustomButton } from '../../../ui/custom-button.tsx';
import { FormHeading } from '../form-heading.tsx';
import { loadGoogle } from '../load-auth.ts';
import { PasswordStep } from './password-step.tsx';

interface UnlockFormProps {
  account: AccountId;
  hasPassword: boolean;
  hasPasskey: boolean;
  onDone: () => void;
}

/** Shown after a sign-in with Google: the user unlocks the messages, which Google cannot do. */
export function UnlockForm({ account, hasPassword, hasPasskey, onDone }: UnlockFormProps) {
  const { t } = useTranslation('google');
  const { t: tAuth } = useTranslation('auth');
  const local = useLocalPath();
  const navigate = useNavigate();
  const [isLeaving, setIsLeaving] = useState(false);
  const [isAsking, setIsAsking] = useState(false);

  function finish(): void {
    showFeedback('success', tAuth('signIn.done'), successDuration);
    onDone();
  }

  async function handlePassword(password: string): Promise<void> {
    await (await loadGoogle()).unlock(account, password);
    finish();
  }

  async function handlePasskey(): Promise<void> {
    setIsAsking(true);
    try {
      const isOpen = await (await loadGoogle()).unlockByPasskey(account);
      if (isOpen === true) finish();
      else if (isOpen === false) showFeedback('error', t('passkey.closed'));
    } catch (error) {
      explainError(error, { unavailable: tAuth('common.offline'), other: tAuth('passkey.refused') });
    } finally {
      setIsAsking(false);
    }
  }

  async function handleLeave(): Promise<void> {
    setIsLeaving(true);
    await signOut(account);
    await navigate(local(paths.signIn), { replace: true });
  }

  const title = tAuth('signIn.title');
  const lead = hasPassword ? t('unlock.lead') : t('unlock.leadPasskey');
  return (
    <>
      {hasPassword ? (
        <PasswordStep title={title} lead={lead} submit={t('unlock.submit')} onPassword={handlePassword} />
      ) : (
        <FormHeading title={title} lead={lead} />
      )}
      <div className="mt-3 flex flex-col gap-3">
        {hasPasskey && (
          <CustomButton
            kind={hasPassword ? 'secondary' : 'primary'}
            size="large"
            isWide
            icon={<Fingerprint aria-hidden className="size-5" />}
            isWaiting={isAsking}
            onClick={() => void handlePasskey()}
          >
            {t('passkey.open')}
          </CustomButton>
        )}
        <CustomButton kind="quiet" size="large" isWide isWaiting={isLeaving} onClick={() => void handleLeave()}>
          {t('unlock.another')}
        </CustomButton>
      </div>
    </>
  );
}

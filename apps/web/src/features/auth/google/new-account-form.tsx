import type { AccountId } from '@dostar/protocol/ids';
import { Fingerprint, Lock } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from '../../../core/i18n/use-translation.ts';
import { explainError } from '../../../core/lib/explain-error.ts';
import { showFeedback, successDuration } from '../../../core/lib/feedback.ts';
import { hasPasskeySupport } from '../../../core/session/passkeys.ts';
import { CustomButton } from '../../../ui/custom-button.tsx';
import { FormHeading } from '../form-heading.tsx';
import { loadGoogle } from '../load-auth.ts';
import { NewPasswordForm } from '../new-password-form.tsx';

interface NewAccountFormProps {
  account: AccountId;
  email: string;
  onDone: (account: AccountId) => void;
}

/** Asks a new user once how to unlock the messages. Google never receives this secret. */
export function NewAccountForm({ account, email, onDone }: NewAccountFormProps) {
  const { t } = useTranslation('google');
  const { t: tAuth } = useTranslation('auth');
  const [isWaiting, setIsWaiting] = useState(false);
  const [isAsking, setIsAsking] = useState(false);

  async function complete(password: string): Promise<void> {
    setIsWaiting(true);
    try {
      const made = await (await loadGoogle()).completeSignUp(account, password);
      showFeedback('success', tAuth('confirmCode.welcome'), successDuration);
      onDone(made);
    } catch (error) {
      explain(error);
    } finally {
      setIsWaiting(false);
    }
  }

  async function completeWithPasskey(): Promise<void> {
    setIsAsking(true);
    try {
      const outcome = await (await loadGoogle()).completeWithPasskey(account, t('passkey.name'));
      if (outcome === 'closed') showFeedback('error', t('passkey.closed'));
      if (outcome !== 'done') return;
      showFeedback('success', tAuth('confirmCode.welcome'), successDuration);
      onDone(account);
    } catch (error) {
      explain(error);
    } finally {
      setIsAsking(false);
    }
  }

  function explain(error: unknown): void {
    explainError(error, {
      invite_gone: tAuth('noSignUp.gone.title'),
      email_taken: tAuth('signUp.taken'),
      no_sign_up: t('tooLong'),
      rate_limited: tAuth('common.tooOften'),
      unavailable: tAuth('common.offline'),
      other: tAuth('signUp.unexpected'),
    });
  }

  return (
    <>
      <FormHeading title={t('new.title')} lead={t('new.lead', { email })} />
      <NewPasswordForm
        email={email}
        label={tAuth('fields.password')}
        submit={t('new.submit')}
        isWaiting={isWaiting}
        onPassword={(password) => void complete(password)}
      />
      {hasPasskeySupport() && (
        <>
          <p className="my-5 flex items-center gap-4 text-muted before:h-px before:grow before:bg-line after:h-px after:grow after:bg-line">
            {tAuth('common.or')}
          </p>
          <CustomButton
            kind="secondary"
            size="large"
            isWide
            icon={<Fingerprint aria-hidden className="size-5" />}
            isWaiting={isAsking}
            onClick={() => void completeWithPasskey()}
          >
            {t('passkey.make')}
          </CustomButton>
        </>
      )}
      <p className="mt-6 flex items-start gap-2 text-small text-muted">
        <Lock aria-hidden className="mt-0.5 size-4 shrink-0" />
        {t('new.why')}
      </p>
    </>
  );
}

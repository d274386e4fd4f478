import type { Auth } from '@dostar/client/auth';
import { useEffect, useState } from 'react';
import { useTranslation } from '../../core/i18n/use-translation.ts';
import { Navigate, useLocation } from 'react-router';
import { explainError } from '../../core/lib/explain-error.ts';
import { showFeedback, successDuration } from '../../core/lib/feedback.ts';
import { pageMeta } from '../../core/lib/page-meta.ts';
import { paths } from '../../core/lib/paths.ts';
import { enterSession } from '../../core/session/session.ts';
import { forgetOperatorInvite } from '../../core/session/sign-up-invite.ts';
import { requestTexts } from '../../core/i18n/texts.ts';
import { useLocalPath } from '../../core/i18n/use-locale.ts';
import { CodeField } from '../../ui/code-field.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { FormHeading } from './form-heading.tsx';
import { loadAuth } from './load-auth.ts';
import { ResendButton } from './resend-button.tsx';

await requestTexts('auth');

export const meta = pageMeta('auth', 'confirmCode');

interface SignUp {
  email: string;
  resendAt: number;
  /** The user entered the right code, but the page closed before the account was created. */
  isVerified: boolean;
}

type CodeProblem = 'wrongCode' | 'expiredCode' | 'tooManyTries';

/** Follows the sign-up form. The server keeps the pending sign-up for this browser, so a reload restores this page. */
export default function ConfirmCodePage() {
  const { t } = useTranslation('auth');
  const local = useLocalPath();
  const { search } = useLocation();
  const [signUp, setSignUp] = useState<SignUp | 'none'>();

  useEffect(() => {
    void loadAuth()
      .then((auth) => auth.findSignUp())
      .then((found) => setSignUp(found ?? 'none'))
      .catch(() => showFeedback('error', t('common.offline')));
  }, [t]);

  if (signUp === 'none') return <Navigate to={local(paths.signUp) + search} replace />;
  return (
    <>
      <FormHeading
        title={t('pages.confirmCode.title')}
        lead={signUp ? t('confirmCode.lead', { email: signUp.email }) : ''}
      />
      {signUp ? <ConfirmForm key={signUp.email} signUp={signUp} /> : <Skeleton className="h-24" />}
      <p className="mt-6">
        <TextLink to={local(paths.signUp) + search}>{t('confirmCode.back')}</TextLink>
      </p>
    </>
  );
}

function ConfirmForm({ signUp }: { signUp: SignUp }) {
  const { t } = useTranslation('auth');
  const [problem, setProblem] = useState<CodeProblem>();
  const [isWaiting, setIsWaiting] = useState(false);
  // React key of the code field: a new value clears the field after a wrong code.
  const [tries, setTries] = useState(0);

  useEffect(() => {
    if (signUp.isVerified) void finish((auth) => auth.resumeSignUp());
    // Runs once, for the sign-up that the page found when it opened.
    // oxlint-disable-next-line react/exhaustive-deps
  }, []);

  async function finish(step: (auth: Auth) => Promise<string>): Promise<void> {
    setIsWaiting(true);
    setProblem(undefined);
    try {
      const account = await step(await loadAuth());
      forgetOperatorInvite();
      showFeedback('success', t('confirmCode.welcome'), successDuration);
      enterSession({ id: account, username: undefined, name: undefined });
    } catch (error) {
      explainError(error, {
        wrong_code: () => setProblem('wrongCode'),
        expired_code: () => setProblem('expiredCode'),
        too_many_tries: () => setProblem('tooManyTries'),
        no_sign_up: t('confirmCode.noSignUp'),
        invite_gone: t('noSignUp.gone.title'),
        email_taken: t('signUp.taken'),
        unavailable: t('common.offline'),
        other: t('signUp.verificationFailed'),
      });
      setTries((count) => count + 1);
    } finally {
      setIsWaiting(false);
    }
  }

  return (
    <div className="flex flex-col gap-4">
      <CodeField
        key={tries}
        autoFocus
        label={t('confirmCode.code')}
        disabled={isWaiting}
        error={problem && t(`confirmCode.${problem}`)}
        onComplete={(code) => void finish((auth) => auth.confirmSignUp(signUp.email, code))}
      />
      <ResendButton email={signUp.email} resendAt={signUp.resendAt} onSent={() => setProblem(undefined)} />
    </div>
  );
}

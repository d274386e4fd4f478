import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, Navigate } from 'react-router';
import { showFeedback, successDuration } from '../../core/feedback.ts';
import { pageMeta } from '../../core/page-meta.ts';
import { paths } from '../../core/paths.ts';
import { enterSession } from '../../core/session.ts';
import { wantTexts } from '../../core/texts.ts';
import { useLocalPath } from '../../core/use-locale.ts';
import { CodeField } from '../../ui/code-field.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { FormHeading } from './form-heading.tsx';
import { codeOf, loadAuth } from './load-auth.ts';
import { ResendButton } from './resend-button.tsx';

await wantTexts('auth');

export const meta = pageMeta('auth', 'confirmCode');

interface SignUp {
  email: string;
  resendAt: number;
}

type CodeProblem = 'wrongCode' | 'expiredCode' | 'tooManyTries';
const PROBLEMS: Partial<Record<string, CodeProblem>> = {
  wrong_code: 'wrongCode',
  expired_code: 'expiredCode',
  too_many_tries: 'tooManyTries',
};

/** Only after the sign-up form, whose traces the server keeps for this browser: a reload finds them again. */
export default function ConfirmCodePage() {
  const { t } = useTranslation('auth');
  const local = useLocalPath();
  const [signUp, setSignUp] = useState<SignUp | 'none'>();

  useEffect(() => {
    void loadAuth()
      .then((auth) => auth.findSignUp())
      .then((found) => setSignUp(found ?? 'none'))
      .catch(() => showFeedback('error', t('common.offline')));
  }, [t]);

  if (signUp === 'none') return <Navigate to={local(paths.signUp)} replace />;
  return (
    <>
      <FormHeading
        title={t('pages.confirmCode.title')}
        lead={signUp ? t('confirmCode.lead', { email: signUp.email }) : ''}
      />
      {signUp ? <ConfirmForm key={signUp.email} signUp={signUp} /> : <Skeleton className="h-24" />}
      <p className="mt-6">
        <Link
          to={local(paths.signUp)}
          className="inline-flex min-h-11 items-center font-semibold text-accent hover:underline"
        >
          {t('confirmCode.back')}
        </Link>
      </p>
    </>
  );
}

function ConfirmForm({ signUp }: { signUp: SignUp }) {
  const { t } = useTranslation('auth');
  const [problem, setProblem] = useState<CodeProblem>();
  const [isWaiting, setIsWaiting] = useState(false);

  async function handleComplete(code: string): Promise<void> {
    setIsWaiting(true);
    setProblem(undefined);
    try {
      const account = await (await loadAuth()).confirmSignUp(signUp.email, code);
      showFeedback('success', t('confirmCode.welcome'), successDuration);
      enterSession({ id: account, username: undefined, name: undefined });
    } catch (error) {
      explain(codeOf(error));
    } finally {
      setIsWaiting(false);
    }
  }

  function explain(code: string | undefined): void {
    const known = PROBLEMS[code ?? ''];
    setProblem(known);
    if (known) return;
    if (code === 'no_sign_up') showFeedback('error', t('confirmCode.noSignUp'));
    else if (code === 'email_taken') showFeedback('error', t('signUp.taken'));
    else if (code === 'unavailable') showFeedback('error', t('common.offline'));
    else showFeedback('error', t('signUp.verificationFailed'));
  }

  return (
    <div className="flex flex-col gap-4">
      <CodeField
        label={t('confirmCode.code')}
        disabled={isWaiting}
        error={problem && t(`confirmCode.${problem}`)}
        onComplete={(code) => void handleComplete(code)}
      />
      <ResendButton email={signUp.email} resendAt={signUp.resendAt} onSent={() => setProblem(undefined)} />
    </div>
  );
}

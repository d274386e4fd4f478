import { Lock } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { showFeedback, successDuration } from '../../core/feedback.ts';
import { pageMeta } from '../../core/page-meta.ts';
import { paths } from '../../core/paths.ts';
import { enterSession } from '../../core/session.ts';
import { wantTexts } from '../../core/texts.ts';
import { useLocalPath } from '../../core/use-locale.ts';
import { CustomButton } from '../../ui/custom-button.tsx';
import { CustomInput } from '../../ui/custom-input.tsx';
import { CustomPasswordInput } from '../../ui/custom-password-input.tsx';
import { FormHeading } from './form-heading.tsx';
import { GoogleChoice } from './google-choice.tsx';
import { codeOf, loadAuth } from './load-auth.ts';
import { focusFirstProblem, readField } from './read-field.ts';
import { checkSignIn, type SignInProblem } from './validate.ts';

await wantTexts('auth');

export const meta = pageMeta('auth', 'signIn');

type EmailProblem = SignInProblem | 'emailUnknown' | 'useGoogle';
interface Problems {
  email?: EmailProblem;
  password?: 'passwordWrong';
}

export default function SignInPage() {
  const { t } = useTranslation('auth');
  const local = useLocalPath();
  const [problems, setProblems] = useState<Problems>({});
  const [isWaiting, setIsWaiting] = useState(false);

  async function signIn(email: string, password: string): Promise<void> {
    setIsWaiting(true);
    try {
      const account = await (await loadAuth()).signIn(email, password);
      showFeedback('success', t('signIn.done'), successDuration);
      enterSession({ id: account, username: undefined, name: undefined });
    } catch (error) {
      explain(error);
    } finally {
      setIsWaiting(false);
    }
  }

  function explain(error: unknown): void {
    const code = codeOf(error);
    if (code === 'email_not_found') setProblems({ email: 'emailUnknown' });
    else if (code === 'wrong_password') setProblems({ password: 'passwordWrong' });
    else if (code === 'use_google') setProblems({ email: 'useGoogle' });
    else if (code === 'rate_limited') showFeedback('error', t('common.tooOften'));
    else if (code === 'unavailable') showFeedback('error', t('common.offline'));
    else showFeedback('error', t('signIn.failed'));
  }

  function handleSubmit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    const email = readField(event, 'email');
    const found = checkSignIn(email);
    setProblems(found ? { email: found } : {});
    if (found) focusFirstProblem(event, ['email']);
    else void signIn(email.trim(), readField(event, 'password'));
  }

  return (
    <>
      <FormHeading title={t('signIn.title')} lead={t('signIn.lead')} />
      <form noValidate onSubmit={handleSubmit} onFocus={() => void loadAuth()} className="flex flex-col gap-4">
        <CustomInput
          label={t('fields.email')}
          name="email"
          type="email"
          inputMode="email"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          error={problems.email && t(`signIn.${problems.email}`)}
        />
        <div>
          <CustomPasswordInput
            label={t('fields.password')}
            name="password"
            error={problems.password && t(`signIn.${problems.password}`)}
          />
          <p className="flex justify-end">
            <Link
              to={local(paths.recovery)}
              className="inline-flex min-h-11 items-center font-semibold text-accent hover:underline"
            >
              {t('signIn.forgot')}
            </Link>
          </p>
        </div>
        <CustomButton type="submit" size="large" isWide isWaiting={isWaiting}>
          {t('signIn.submit')}
        </CustomButton>
      </form>
      <GoogleChoice />
      <p className="mt-6 text-center">
        {t('signIn.noAccount')}{' '}
        <Link
          to={local(paths.signUp)}
          className="inline-flex min-h-11 items-center font-semibold text-accent hover:underline"
        >
          {t('signIn.signUp')}
        </Link>
      </p>
      <p className="mt-4 flex items-center justify-center gap-2 text-small text-muted">
        <Lock aria-hidden className="size-4" />
        {t('common.neverSent')}
      </p>
    </>
  );
}

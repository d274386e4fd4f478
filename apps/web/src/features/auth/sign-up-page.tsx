import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate } from 'react-router';
import { showFeedback, successDuration } from '../../core/feedback.ts';
import { pageMeta } from '../../core/page-meta.ts';
import { paths } from '../../core/paths.ts';
import { wantTexts } from '../../core/texts.ts';
import { useLocale, useLocalPath } from '../../core/use-locale.ts';
import { CustomButton } from '../../ui/custom-button.tsx';
import { CustomInput } from '../../ui/custom-input.tsx';
import { CustomPasswordInput } from '../../ui/custom-password-input.tsx';
import { FormHeading } from './form-heading.tsx';
import { GoogleChoice } from './google-choice.tsx';
import { codeOf, loadAuth } from './load-auth.ts';
import { focusFirstProblem, readField } from './read-field.ts';
import { checkSignUp, minimumPassword, type SignUpProblems } from './validate.ts';

await wantTexts('auth');

export const meta = pageMeta('auth', 'signUp');

export default function SignUpPage() {
  const { t } = useTranslation('auth');
  const local = useLocalPath();
  const { code: locale } = useLocale();
  const navigate = useNavigate();
  const [problems, setProblems] = useState<SignUpProblems>({});
  const [isWaiting, setIsWaiting] = useState(false);

  async function begin(email: string, password: string): Promise<void> {
    setIsWaiting(true);
    try {
      await (await loadAuth()).beginSignUp({ email, password, locale });
      showFeedback('success', t('signUp.codeSent', { email }), successDuration);
      await navigate(local(paths.confirmCode));
    } catch (error) {
      explain(error);
    } finally {
      setIsWaiting(false);
    }
  }

  function explain(error: unknown): void {
    const code = codeOf(error);
    if (code === 'email_taken') showFeedback('error', t('signUp.taken'));
    else if (code === 'rate_limited' || code === 'too_soon') showFeedback('error', t('common.tooOften'));
    else if (code === 'unavailable') showFeedback('error', t('common.offline'));
    else showFeedback('error', t('signUp.unexpected'));
  }

  function handleSubmit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    const form = {
      email: readField(event, 'email').trim(),
      password: readField(event, 'password'),
      confirmation: readField(event, 'confirmation'),
    };
    const found = checkSignUp(form);
    setProblems(found);
    const names = Object.keys(found);
    if (names.length > 0) focusFirstProblem(event, names);
    else void begin(form.email, form.password);
  }

  return (
    <>
      <FormHeading title={t('signUp.title')} lead={t('signUp.lead')} />
      <form noValidate onSubmit={handleSubmit} onFocus={() => void loadAuth()} className="flex flex-col gap-4">
        <CustomInput
          label={t('fields.email')}
          name="email"
          type="email"
          inputMode="email"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          error={problems.email && t(`signUp.${problems.email}`)}
        />
        <CustomPasswordInput
          label={t('fields.password')}
          name="password"
          hasMeter
          hint={t('fields.passwordHint')}
          error={problems.password && t(`signUp.${problems.password}`, { count: minimumPassword })}
        />
        <CustomPasswordInput
          label={t('fields.confirmPassword')}
          name="confirmation"
          autoComplete="new-password"
          error={problems.confirmation && t(`signUp.${problems.confirmation}`)}
        />
        <CustomButton type="submit" size="large" isWide isWaiting={isWaiting}>
          {t('signUp.submit')}
        </CustomButton>
      </form>
      <GoogleChoice />
      <p className="mt-6 text-center">
        {t('signUp.hasAccount')}{' '}
        <Link
          to={local(paths.signIn)}
          className="inline-flex min-h-11 items-center font-semibold text-accent hover:underline"
        >
          {t('signUp.signIn')}
        </Link>
      </p>
    </>
  );
}

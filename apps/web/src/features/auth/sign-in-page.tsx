import { Lock } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { showFeedback } from '../../core/feedback.ts';
import { pageMeta } from '../../core/page-meta.ts';
import { paths } from '../../core/paths.ts';
import { wantTexts } from '../../core/texts.ts';
import { useLocalPath } from '../../core/use-locale.ts';
import { CustomButton } from '../../ui/custom-button.tsx';
import { CustomInput } from '../../ui/custom-input.tsx';
import { CustomPasswordInput } from '../../ui/custom-password-input.tsx';
import { FormHeading } from './form-heading.tsx';
import { GoogleChoice } from './google-choice.tsx';
import { focusFirstProblem, readField } from './read-field.ts';
import { checkSignIn, type SignInProblem } from './validate.ts';

await wantTexts('auth');

export const meta = pageMeta('auth', 'signIn');

export default function SignInPage() {
  const { t } = useTranslation('auth');
  const local = useLocalPath();
  const [problem, setProblem] = useState<SignInProblem>();

  function handleSubmit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    const found = checkSignIn(readField(event, 'email'));
    setProblem(found);
    if (found) focusFirstProblem(event, ['email']);
    else showFeedback('error', t('common.notYet'));
  }

  return (
    <>
      <FormHeading title={t('signIn.title')} lead={t('signIn.lead')} />
      <form noValidate onSubmit={handleSubmit} className="flex flex-col gap-4">
        <CustomInput
          label={t('fields.email')}
          name="email"
          type="email"
          inputMode="email"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          error={problem && t(`signIn.${problem}`)}
        />
        <div>
          <CustomPasswordInput label={t('fields.password')} name="password" />
          <p className="flex justify-end">
            <Link
              to={local(paths.recovery)}
              className="inline-flex min-h-11 items-center font-semibold text-accent hover:underline"
            >
              {t('signIn.forgot')}
            </Link>
          </p>
        </div>
        <CustomButton type="submit" size="large" isWide>
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

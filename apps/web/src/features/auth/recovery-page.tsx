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
import { FormHeading } from './form-heading.tsx';
import { focusFirstProblem, readField } from './read-field.ts';
import { checkSignIn, type SignInProblem } from './validate.ts';

await wantTexts('auth');

export const meta = pageMeta('auth', 'recovery');

export default function RecoveryPage() {
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
      <FormHeading title={t('pages.recovery.title')} lead={t('pages.recovery.description')} />
      <form noValidate onSubmit={handleSubmit} className="flex flex-col gap-5">
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
        <CustomButton type="submit" size="large" isWide>
          {t('recovery.submit')}
        </CustomButton>
      </form>
      <p className="mt-4 text-center">
        <Link
          to={local(paths.signIn)}
          className="inline-flex min-h-11 items-center font-semibold text-accent hover:underline"
        >
          {t('recovery.back')}
        </Link>
      </p>
    </>
  );
}

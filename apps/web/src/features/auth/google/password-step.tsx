import { type FormEvent, type ReactNode, useState } from 'react';
import { useTranslation } from '../../../core/i18n/use-translation.ts';
import { Link } from 'react-router';
import { explainError } from '../../../core/lib/explain-error.ts';
import { paths } from '../../../core/lib/paths.ts';
import { useLocalPath } from '../../../core/i18n/use-locale.ts';
import { CustomButton } from '../../../ui/custom-button.tsx';
import { CustomPasswordInput } from '../../../ui/custom-password-input.tsx';
import { FormHeading } from '../form-heading.tsx';
import { focusFirstProblem, readField } from '../../../forms/read-field.ts';

interface PasswordStepProps {
  title: string;
  lead: string;
  submit: string;
  /** Email of the account, for password managers. */
  email?: string | undefined;
  onPassword: (password: string) => Promise<void>;
  children?: ReactNode;
}

/** Form with one field for an existing password. */
export function PasswordStep({ title, lead, submit, email, onPassword, children }: PasswordStepProps) {
  const { t } = useTranslation('auth');
  const { t: tGoogle } = useTranslation('google');
  const local = useLocalPath();
  const [problem, setProblem] = useState<string>();
  const [isWaiting, setIsWaiting] = useState(false);

  async function take(password: string): Promise<void> {
    setIsWaiting(true);
    try {
      await onPassword(password);
    } catch (error) {
      explainError(error, {
        wrong_password: () => setProblem(t('signIn.passwordWrong')),
        use_google: () => setProblem(t('signIn.useGoogle')),
        no_sign_up: tGoogle('tooLong'),
        rate_limited: t('common.tooOften'),
        unavailable: t('common.offline'),
        other: t('signIn.failed'),
      });
    } finally {
      setIsWaiting(false);
    }
  }

  function handleSubmit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    const password = readField(event, 'password');
    setProblem(password === '' ? t('signUp.passwordRequired') : undefined);
    if (password === '') focusFirstProblem(event, ['password']);
    else void take(password);
  }

  return (
    <>
      <FormHeading title={title} lead={lead} />
      <form noValidate onSubmit={handleSubmit} className="flex flex-col gap-4">
        {email !== undefined && (
          <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
        )}
        <div>
          <CustomPasswordInput label={t('fields.password')} name="password" error={problem} />
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
          {submit}
        </CustomButton>
      </form>
      {children}
    </>
  );
}

import { Lock } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { useTranslation } from '../../core/i18n/use-translation.ts';
import { useLocation, useNavigate } from 'react-router';
import { explainError } from '../../core/lib/explain-error.ts';
import { showFeedback, successDuration } from '../../core/lib/feedback.ts';
import { pageMeta } from '../../core/lib/page-meta.ts';
import { paths } from '../../core/lib/paths.ts';
import { enterSession } from '../../core/session/session.ts';
import { requestTexts } from '../../core/i18n/texts.ts';
import { useLocalPath } from '../../core/i18n/use-locale.ts';
import { CustomButton } from '../../ui/custom-button.tsx';
import { CustomPasswordInput } from '../../ui/custom-password-input.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { EmailField } from './email-field.tsx';
import { FormHeading } from './form-heading.tsx';
import { GoogleChoice } from './google-choice.tsx';
import { loadAuth } from './load-auth.ts';
import { PasskeyChoice } from './passkey-choice.tsx';
import { focusFirstProblem, readField } from '../../forms/read-field.ts';
import { useSignUpPolicy } from './use-sign-up-policy.ts';
import { checkSignIn, type SignInProblem } from './validate.ts';

await requestTexts('auth');

export const meta = pageMeta('auth', 'signIn');

type EmailProblem = SignInProblem | 'emailUnknown' | 'useGoogle';
interface Problems {
  email?: EmailProblem;
  password?: 'passwordWrong';
}

export default function SignInPage() {
  const { t } = useTranslation('auth');
  const local = useLocalPath();
  const navigate = useNavigate();
  const { search } = useLocation();
  const [problems, setProblems] = useState<Problems>({});
  const [isWaiting, setIsWaiting] = useState(false);
  const policy = useSignUpPolicy();

  async function signIn(email: string, password: string): Promise<void> {
    setIsWaiting(true);
    try {
      const { account, owes } = await (await loadAuth()).signIn(email, password);
      if (owes.length > 0) {
        await navigate(local(paths.secondStep) + search);
        return;
      }
      showFeedback('success', t('signIn.done'), successDuration);
      enterSession({ id: account, username: undefined, name: undefined });
    } catch (error) {
      explainError(error, {
        email_not_found: () => setProblems({ email: 'emailUnknown' }),
        wrong_password: () => setProblems({ password: 'passwordWrong' }),
        use_google: () => setProblems({ email: 'useGoogle' }),
        account_disabled: t('signIn.disabled'),
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
        <EmailField error={problems.email && t(`signIn.${problems.email}`)} />
        <div>
          <CustomPasswordInput
            label={t('fields.password')}
            name="password"
            error={problems.password && t(`signIn.${problems.password}`)}
          />
          <p className="flex justify-end">
            <TextLink to={local(paths.recovery)}>{t('signIn.forgot')}</TextLink>
          </p>
        </div>
        <CustomButton type="submit" size="large" isWide isWaiting={isWaiting}>
          {t('signIn.submit')}
        </CustomButton>
      </form>
      <GoogleChoice />
      <PasskeyChoice />
      <p className="mt-6 text-center">
        {policy?.refusal === 'closed' ? (
          t('noSignUp.closed.title')
        ) : (
          <>
            {t('signIn.noAccount')} <TextLink to={local(paths.signUp) + search}>{t('signIn.signUp')}</TextLink>
          </>
        )}
      </p>
      <p className="mt-4 flex items-center justify-center gap-2 text-small text-muted">
        <Lock aria-hidden className="size-4" />
        {t('common.neverSent')}
      </p>
    </>
  );
}

import { type FormEvent, useState } from 'react';
import { useTranslation } from '../../core/i18n/use-translation.ts';
import { useLocation, useNavigate } from 'react-router';
import { codeOf, isCodeNotSent } from '../../core/lib/failure.ts';
import { showFeedback, successDuration } from '../../core/lib/feedback.ts';
import { pageMeta } from '../../core/lib/page-meta.ts';
import { paths } from '../../core/lib/paths.ts';
import { requestTexts } from '../../core/i18n/texts.ts';
import { useLocale, useLocalPath } from '../../core/i18n/use-locale.ts';
import { readSignUpInvite } from '../../core/session/sign-up-invite.ts';
import { CustomButton } from '../../ui/custom-button.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { reasonOfCode } from './code-failure.ts';
import { EmailField } from './email-field.tsx';
import { FormHeading } from './form-heading.tsx';
import { GoogleChoice } from './google-choice.tsx';
import { InviteNote } from './invite-note.tsx';
import { loadAuth } from './load-auth.ts';
import { NoSignUp } from './no-sign-up.tsx';
import { NewPasswordFields } from '../../forms/new-password-fields.tsx';
import { focusFirstProblem, readField } from '../../forms/read-field.ts';
import { usePasswordAdvice } from '../../forms/use-password-advice.ts';
import { useSignUpPolicy } from './use-sign-up-policy.ts';
import { checkSignUp, type SignUpProblems } from './validate.ts';

await requestTexts('auth');

export const meta = pageMeta('auth', 'signUp');

export default function SignUpPage() {
  const { t } = useTranslation('auth');
  const local = useLocalPath();
  const { search } = useLocation();
  const { code: locale } = useLocale();
  const navigate = useNavigate();
  const [problems, setProblems] = useState<SignUpProblems>({});
  const [isWaiting, setIsWaiting] = useState(false);
  const advice = usePasswordAdvice();
  const policy = useSignUpPolicy();

  async function begin(email: string, password: string): Promise<void> {
    setIsWaiting(true);
    try {
      await (await loadAuth()).beginSignUp({ email, password, locale, invite: readSignUpInvite() });
      showFeedback('success', t('signUp.codeSent', { email }), successDuration);
      await navigate(local(paths.confirmCode) + search);
    } catch (error) {
      explain(error);
    } finally {
      setIsWaiting(false);
    }
  }

  function explain(error: unknown): void {
    const code = codeOf(error);
    if (code === 'email_not_allowed') return setProblems({ email: 'emailNotAllowed' });
    const reason = t(reasonOfCode(code));
    if (isCodeNotSent(error)) showFeedback('error', t('signUp.codeFailed', { reason }));
    else showFeedback('error', code === 'email_taken' ? t('signUp.taken') : reason);
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
    else if (advice.isAccepted(form.password, form.email)) void begin(form.email, form.password);
  }

  if (policy?.refusal) return <NoSignUp refusal={policy.refusal} />;
  return (
    <>
      <FormHeading title={t('signUp.title')} lead={t('signUp.lead')} />
      {policy?.invite && <InviteNote inviter={policy.invite.inviter} />}
      <form noValidate onSubmit={handleSubmit} onFocus={() => void loadAuth()} className="flex flex-col gap-4">
        <EmailField
          error={problems.email && t(`signUp.${problems.email}`)}
          {...(policy &&
            policy.domains.length > 0 && { hint: t('signUp.domains', { domains: policy.domains.join(', ') }) })}
        />
        <NewPasswordFields label={t('fields.password')} problems={problems} advice={advice} />
        <CustomButton type="submit" size="large" isWide isWaiting={isWaiting}>
          {t('signUp.submit')}
        </CustomButton>
      </form>
      <GoogleChoice />
      <p className="mt-6 text-center">
        {t('signUp.hasAccount')} <TextLink to={local(paths.signIn) + search}>{t('signUp.signIn')}</TextLink>
      </p>
    </>
  );
}

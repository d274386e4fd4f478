import { MailCheck } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { useTranslation } from '../../core/i18n/use-translation.ts';
import { explainError } from '../../core/lib/explain-error.ts';
import { loadRecovery } from '../../core/session/load-account.ts';
import { pageMeta } from '../../core/lib/page-meta.ts';
import { paths } from '../../core/lib/paths.ts';
import { requestTexts } from '../../core/i18n/texts.ts';
import { useLocale, useLocalPath } from '../../core/i18n/use-locale.ts';
import { CustomButton } from '../../ui/custom-button.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { EmailField } from './email-field.tsx';
import { FormHeading } from './form-heading.tsx';
import { focusFirstProblem, readField } from '../../forms/read-field.ts';
import { checkSignIn, type SignInProblem } from './validate.ts';

await requestTexts('auth');

export const meta = pageMeta('auth', 'recovery');

export default function RecoveryPage() {
  const { t } = useTranslation('auth');
  const local = useLocalPath();
  const { code: locale } = useLocale();
  const [problem, setProblem] = useState<SignInProblem | 'emailUnknown'>();
  const [isWaiting, setIsWaiting] = useState(false);
  const [askedFor, setAskedFor] = useState<string>();

  async function ask(email: string): Promise<void> {
    setIsWaiting(true);
    try {
      await (await loadRecovery()).ask(email, locale);
      setAskedFor(email);
    } catch (error) {
      explainError(error, {
        email_not_found: () => setProblem('emailUnknown'),
        rate_limited: t('common.tooOften'),
        other: t('common.offline'),
      });
    } finally {
      setIsWaiting(false);
    }
  }

  function handleSubmit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    const email = readField(event, 'email').trim();
    const found = checkSignIn(email);
    setProblem(found);
    if (found) focusFirstProblem(event, ['email']);
    else void ask(email);
  }

  if (askedFor !== undefined) {
    return (
      <div role="status">
        <MailCheck aria-hidden className="mb-5 size-12 text-accent" strokeWidth={1.5} />
        <FormHeading title={t('recovery.sentTitle')} lead={t('recovery.sent', { email: askedFor })} />
        <p className="text-muted">{t('recovery.notThere')}</p>
        <p className="mt-4 flex flex-wrap gap-x-6">
          <CustomButton kind="secondary" onClick={() => setAskedFor(undefined)}>
            {t('recovery.again')}
          </CustomButton>
          <TextLink to={local(paths.signIn)}>{t('recovery.back')}</TextLink>
        </p>
      </div>
    );
  }
  return (
    <>
      <FormHeading title={t('pages.recovery.title')} lead={t('pages.recovery.description')} />
      <form noValidate onSubmit={handleSubmit} className="flex flex-col gap-5">
        <EmailField error={problem && t(`signIn.${problem}`)} />
        <CustomButton type="submit" size="large" isWide isWaiting={isWaiting}>
          {t('recovery.submit')}
        </CustomButton>
      </form>
      <p className="mt-4 text-center">
        <TextLink to={local(paths.signIn)}>{t('recovery.back')}</TextLink>
      </p>
    </>
  );
}

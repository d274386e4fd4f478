import { useState } from 'react';
import { useTranslation } from '../../core/i18n/use-translation.ts';
import { useNavigate } from 'react-router';
import { explainError } from '../../core/lib/explain-error.ts';
import { showFeedback, successDuration } from '../../core/lib/feedback.ts';
import { loadRecovery } from '../../core/session/load-account.ts';
import { pageMeta } from '../../core/lib/page-meta.ts';
import { paths } from '../../core/lib/paths.ts';
import { enterSession } from '../../core/session/session.ts';
import { requestTexts } from '../../core/i18n/texts.ts';
import { useLocalPath } from '../../core/i18n/use-locale.ts';
import { Skeleton } from '../../ui/skeleton.tsx';
import { FormHeading } from './form-heading.tsx';
import { loadAuth } from './load-auth.ts';
import { NewPasswordForm } from './new-password-form.tsx';
import { SpentLink } from './spent-link.tsx';
import { linkProblemOf, useLinkToken } from './use-link-token.ts';

await requestTexts('auth', 'recovery');

export const meta = pageMeta('auth', 'resetPassword');

/** Opened from the reset email: sets a new password. The next page unlocks the messages. */
export default function ResetPasswordPage() {
  const { t } = useTranslation('auth');
  const { t: tRecovery } = useTranslation('recovery');
  const local = useLocalPath();
  const navigate = useNavigate();
  const [link, setLink] = useLinkToken();
  const [isWaiting, setIsWaiting] = useState(false);

  async function reset(token: string, password: string): Promise<void> {
    setIsWaiting(true);
    try {
      const email = await (await loadRecovery()).reset(token, password);
      await enter(email, password);
    } catch (error) {
      const spent = linkProblemOf(error);
      if (spent) setLink({ is: spent });
      else explainError(error, { rate_limited: t('common.tooOften'), other: t('common.offline') });
    } finally {
      setIsWaiting(false);
    }
  }

  /** Signs in with the new password; if that fails, sends the user to the sign-in page. */
  async function enter(email: string, password: string): Promise<void> {
    showFeedback('success', tRecovery('reset.done'), successDuration);
    try {
      const { account, owes } = await (await loadAuth()).signIn(email, password);
      if (owes.length > 0) {
        await navigate(`${local(paths.secondStep)}?next=${encodeURIComponent(paths.unlock)}`, { replace: true });
        return;
      }
      enterSession({ id: account, username: undefined, name: undefined });
      await navigate(local(paths.unlock), { replace: true });
    } catch {
      await navigate(local(paths.signIn), { replace: true });
    }
  }

  if (link.is === 'looking') return <Skeleton className="h-40" />;
  if (link.is !== 'good') {
    return <SpentLink is={link.is} next={paths.recovery} nextLabel={tRecovery('reset.askAgain')} />;
  }
  return (
    <>
      <FormHeading title={t('pages.resetPassword.title')} lead={tRecovery('reset.lead', { email: link.address })} />
      <NewPasswordForm
        email={link.address}
        label={t('fields.newPassword')}
        submit={tRecovery('reset.submit')}
        isWaiting={isWaiting}
        onPassword={(password) => void reset(link.token, password)}
      />
      <p className="mt-5 text-small text-muted">{tRecovery('reset.note')}</p>
    </>
  );
}

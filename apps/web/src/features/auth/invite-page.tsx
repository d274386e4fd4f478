import { KeyRound } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useTranslation } from '../../core/i18n/use-translation.ts';
import { Link, useLocation, useNavigate } from 'react-router';
import { codeOf } from '../../core/lib/failure.ts';
import { showFeedback, successDuration } from '../../core/lib/feedback.ts';
import { hasPendingInvite } from '../../core/session/pending-invite.ts';
import { saveOperatorInvite } from '../../core/session/sign-up-invite.ts';
import { pageMeta } from '../../core/lib/page-meta.ts';
import { chatPath, paths } from '../../core/lib/paths.ts';
import { useSession } from '../../core/session/session.ts';
import { requestTexts } from '../../core/i18n/texts.ts';
import { useLocalPath } from '../../core/i18n/use-locale.ts';
import { buttonClass } from '../../ui/button-class.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { IncompleteLink } from './incomplete-link.tsx';

await requestTexts('auth', 'invites');

export const meta = pageMeta('auth', 'invite');

type Outcome = 'incomplete' | 'otherKey';

/** Saves the invite, sends visitors to sign-up, and opens the chat when the user is signed in. */
export default function InvitePage() {
  const { t } = useTranslation('invites');
  const session = useSession();
  const local = useLocalPath();
  const navigate = useNavigate();
  const { hash, pathname } = useLocation();
  const [outcome, setOutcome] = useState<Outcome>();

  useEffect(() => {
    if (session.status === 'unknown') return;
    void enter().catch(() => setOutcome('incomplete'));
    // Depends only on the session status: `enter` removes the hash from the address, which must not start it again.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [session.status]);

  async function enter(): Promise<void> {
    if (saveOperatorInvite(hash)) {
      if (session.status === 'signed-in') showFeedback('success', t('notNeeded'), successDuration);
      await navigate(local(session.status === 'signed-in' ? paths.contacts : paths.signUp), { replace: true });
      return;
    }
    const { saveInvite, redeemInvite } = await import('../../core/messenger/invites.ts');
    const isWhole = saveInvite(hash);
    // Removes the invite from the address bar and the history, so the user cannot share it by accident.
    if (hash !== '') await navigate(pathname, { replace: true });
    if (!isWhole && !hasPendingInvite()) return setOutcome('incomplete');
    if (session.status !== 'signed-in') {
      showFeedback('success', t('first'), successDuration);
      await navigate(local(paths.signUp), { replace: true });
      return;
    }
    try {
      const welcome = await redeemInvite(session.account.id);
      if (!welcome) return setOutcome('incomplete');
      if (welcome.isSameKey === false) return setOutcome('otherKey');
      showFeedback('success', t('done'), successDuration);
      const { username } = welcome.user;
      await navigate(local(username === null ? paths.contacts : chatPath(username)), { replace: true });
    } catch (error) {
      if (codeOf(error) === 'unavailable') showFeedback('error', t('offline'));
      setOutcome('incomplete');
    }
  }

  if (outcome === 'incomplete') return <IncompleteLink />;
  if (outcome === undefined) return <Skeleton className="h-40" />;
  return (
    <EmptyState
      heading="h1"
      picture={<KeyRound aria-hidden className="size-12" />}
      title={t('otherKey.title')}
      text={t('otherKey.text')}
      action={
        <Link to={local(paths.contacts)} className={buttonClass({ kind: 'secondary' })}>
          {t('otherKey.contacts')}
        </Link>
      }
    />
  );
}

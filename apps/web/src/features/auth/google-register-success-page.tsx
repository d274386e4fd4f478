import { useEffect, useState } from 'react';
import { useTranslation } from '../../core/i18n/use-translation.ts';
import { Navigate, useLocation, useNavigate } from 'react-router';
import { showFeedback } from '../../core/lib/feedback.ts';
import { hasPendingInvite } from '../../core/session/pending-invite.ts';
import { readNextPage, searchFor } from '../../core/session/next-page.ts';
import { pageMeta } from '../../core/lib/page-meta.ts';
import { paths } from '../../core/lib/paths.ts';
import { enterSession } from '../../core/session/session.ts';
import { forgetOperatorInvite } from '../../core/session/sign-up-invite.ts';
import { requestTexts } from '../../core/i18n/texts.ts';
import { useLocalPath } from '../../core/i18n/use-locale.ts';
import { Skeleton } from '../../ui/skeleton.tsx';
import { type GoogleSignInResult, findGoogleSignInResult } from './google/find-google-sign-in-result.ts';
import { LinkForm } from './google/link-form.tsx';
import { NewAccountForm } from './google/new-account-form.tsx';
import { UnlockForm } from './google/unlock-form.tsx';
import { IncompleteLink } from './incomplete-link.tsx';

await requestTexts('auth', 'google');

export const meta = pageMeta('auth', 'googleRegisterSuccess');

/** Google redirects here. The server keeps the remaining steps, so a reload restores them. */
export default function GoogleRegisterSuccessPage() {
  const { t } = useTranslation('auth');
  const local = useLocalPath();
  const navigate = useNavigate();
  const { search } = useLocation();
  const [arrival, setArrival] = useState<GoogleSignInResult>();

  /** Opens the chat of a pending invite first; otherwise the requested page. */
  async function enter(account: string): Promise<void> {
    forgetOperatorInvite();
    const next = hasPendingInvite() ? paths.invite : readNextPage(search);
    enterSession({ id: account, username: undefined, name: undefined });
    await navigate(local(next ?? paths.profile), { replace: true });
  }

  useEffect(() => {
    findGoogleSignInResult()
      .then(async (found) => {
        if (found.kind === 'open') await enter(found.account);
        else setArrival(found);
      })
      .catch(() => showFeedback('error', t('common.offline')));
    // Runs once per page load.
    // oxlint-disable-next-line react/exhaustive-deps
  }, []);

  if (!arrival) return <Skeleton className="h-40" />;
  switch (arrival.kind) {
    case 'new':
      return <NewAccountForm {...arrival} onDone={(account) => void enter(account)} />;
    case 'taken':
      return (
        <LinkForm
          email={arrival.email}
          onDone={(account) => void enter(account)}
          onPending={() => setArrival({ kind: 'pending' })}
        />
      );
    case 'pending':
      return <Navigate to={local(paths.secondStep) + searchFor(paths.googleRegisterSuccess + search)} replace />;
    case 'locked':
      return <UnlockForm {...arrival} onDone={() => void enter(arrival.account)} />;
    case 'open':
    case 'nothing':
      return <IncompleteLink />;
  }
}

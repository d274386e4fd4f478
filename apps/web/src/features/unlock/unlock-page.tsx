import { AccountId } from '@dostar/protocol/ids';
import type { UnlockResult, UnlockMethods } from '@dostar/client/account-unlock';
import { useEffect, useState } from 'react';
import { useTranslation } from '../../core/i18n/use-translation.ts';
import { Navigate, useNavigate } from 'react-router';
import { showFeedback, successDuration } from '../../core/lib/feedback.ts';
import { loadUnlocking } from '../../core/session/load-account.ts';
import { nudgeMessenger } from '../../core/messenger/messenger.ts';
import { pageMeta } from '../../core/lib/page-meta.ts';
import { paths } from '../../core/lib/paths.ts';
import { useSession } from '../../core/session/session.ts';
import { requestTexts } from '../../core/i18n/texts.ts';
import { useLocalPath } from '../../core/i18n/use-locale.ts';
import { CustomButton } from '../../ui/custom-button.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { BindPassword } from './bind-password.tsx';
import { FreshStart } from './fresh-start.tsx';
import { UnlockByDevice } from './unlock-by-device.tsx';
import { UnlockByKey } from './unlock-by-key.tsx';
import { UnlockByOldPassword } from './unlock-by-old-password.tsx';
import { UnlockByPasskey } from './unlock-by-passkey.tsx';
import { UnlockByPassword } from './unlock-by-password.tsx';
import { type UnlockMethod, UnlockMethodList } from './unlock-method-list.tsx';

await requestTexts('auth', 'recovery');

export const meta = pageMeta('recovery', 'unlock');

/** Signed in, but the messages are still locked: lists the unlock methods and the fresh start. */
export default function UnlockPage() {
  const { t } = useTranslation('recovery');
  const local = useLocalPath();
  const navigate = useNavigate();
  const session = useSession();
  const account = session.status === 'signed-in' ? AccountId.parse(session.account.id) : undefined;
  const [methods, setMethods] = useState<UnlockMethods>();
  const [chosen, setChosen] = useState<UnlockMethod | 'bind'>();

  async function loadMethods(id: AccountId): Promise<void> {
    const unlocking = await loadUnlocking();
    // The key may already be here: the user opened the email in a browser that is still signed in.
    const settled = await unlocking.settleKept(id);
    if (settled === undefined) setMethods(await unlocking.listWays());
    else await finish(settled);
  }

  async function finish(settled: UnlockResult): Promise<void> {
    if (settled === 'password') {
      setChosen('bind');
      return;
    }
    nudgeMessenger();
    showFeedback('success', t('unlock.done'), successDuration);
    await navigate(local(paths.profile), { replace: true });
  }

  useEffect(() => {
    if (account) loadMethods(account).catch(() => showFeedback('error', t('unlock.offline')));
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- Once per account; `loadMethods` is new in each render.
  }, [account]);

  if (!account) return <Navigate to={local(paths.signIn)} replace />;
  const props = { account, onSettled: (settled: UnlockResult) => void finish(settled) };
  return (
    <>
      <h1 className="text-headline font-bold tracking-tight">{t('pages.unlock.title')}</h1>
      <p className="mt-1.5 mb-6 text-field text-muted">{t('unlock.lead')}</p>
      {chosen === undefined &&
        (methods ? <UnlockMethodList methods={methods} onChoose={setChosen} /> : <Skeleton className="h-64" />)}
      {chosen === 'device' && <UnlockByDevice {...props} />}
      {chosen === 'password' && <UnlockByPassword {...props} />}
      {chosen === 'oldPassword' && <UnlockByOldPassword {...props} />}
      {chosen === 'recoveryKey' && <UnlockByKey {...props} />}
      {chosen === 'passkey' && <UnlockByPasskey {...props} />}
      {chosen === 'fresh' && <FreshStart {...props} />}
      {chosen === 'bind' && <BindPassword {...props} />}
      <div className="mt-6 flex flex-wrap gap-2">
        {chosen !== undefined && chosen !== 'bind' && (
          <CustomButton kind="quiet" onClick={() => setChosen(undefined)}>
            {t('unlock.otherWay')}
          </CustomButton>
        )}
        {chosen === undefined && (
          <CustomButton kind="quiet" onClick={() => void navigate(local(paths.profile))}>
            {t('unlock.later')}
          </CustomButton>
        )}
      </div>
    </>
  );
}

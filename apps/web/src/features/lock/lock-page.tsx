import type { LockHeader } from '@dostar/client/app-lock';
import { Lock } from 'lucide-react';
import { lazy, Suspense, useEffect, useState } from 'react';
import { useTranslation } from '../../core/i18n/use-translation.ts';
import { openAppLock } from '../../core/session/app-lock.ts';
import { recordActivity } from '../../core/session/idle-clock.ts';
import type { Account } from '../../core/session/account.ts';
import { enterSession } from '../../core/session/session.ts';
import { requestTexts } from '../../core/i18n/texts.ts';
import { AccountId } from '@dostar/protocol/ids';
import { CustomButton } from '../../ui/custom-button.tsx';
import { PasskeyUnlock } from './passkey-unlock.tsx';
import { SecretUnlock } from './secret-unlock.tsx';

await requestTexts('lock');

const ForgotDialog = lazy(async () => ({ default: (await import('./forgot-dialog.tsx')).ForgotDialog }));

type Shown = Pick<LockHeader, 'method' | 'passkey'> | 'damaged';

/** Replaces every page of a signed-in user while the app is locked. Shows no names and works offline. */
export function LockPage({ account }: { account: Account }) {
  const { t } = useTranslation('lock');
  const [shown, setShown] = useState<Shown>();
  const [isAsking, setIsAsking] = useState(false);

  useEffect(() => {
    const lock = openAppLock();
    async function loadLock(): Promise<void> {
      const state = await lock.readState(AccountId.parse(account.id));
      if (state.kind === 'none' || state.kind === 'unlocked') enterSession(account);
      else setShown(state.kind === 'damaged' ? 'damaged' : state.lock);
    }
    void loadLock();
    // The user unlocked another tab.
    return lock.listen(() => void loadLock());
  }, [account]);

  function handleUnlocked(): void {
    recordActivity();
    enterSession(account);
  }

  const props = { account: account.id, onUnlocked: handleUnlocked };
  return (
    <main className="flex min-h-dvh items-center justify-center bg-paper p-4">
      <div className="w-full max-w-sm rounded-card border border-line bg-surface p-6 shadow-card sm:p-8">
        <span className="mx-auto mb-4 flex size-14 items-center justify-center rounded-round bg-accent-soft text-accent">
          <Lock aria-hidden className="size-7" />
        </span>
        <h1 className="text-center text-title font-bold">{t('screen.title')}</h1>
        {shown !== undefined && (
          <>
            <p className="mt-1.5 mb-6 text-center text-muted">
              {t(shown === 'damaged' ? 'screen.damaged' : `screen.${shown.method}`)}
            </p>
            {shown !== 'damaged' && shown.method !== 'passkey' && <SecretUnlock {...props} method={shown.method} />}
            {shown !== 'damaged' && shown.passkey && <PasskeyUnlock {...props} passkey={shown.passkey} />}
            <div className="mt-3 flex justify-center">
              <CustomButton kind="quiet" onClick={() => setIsAsking(true)}>
                {t('screen.forgot')}
              </CustomButton>
            </div>
          </>
        )}
      </div>
      {isAsking && (
        <Suspense>
          <ForgotDialog account={account.id} onClose={() => setIsAsking(false)} />
        </Suspense>
      )}
    </main>
  );
}

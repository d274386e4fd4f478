import type { LockState } from '@dostar/client/app-lock';
import { AccountId } from '@dostar/protocol/ids';
import { lazy, Suspense, useEffect, useState } from 'react';
import { useTranslation } from '../../../core/i18n/use-translation.ts';
import { hasLock } from '../../../core/session/has-lock.ts';
import { useSession } from '../../../core/session/session.ts';
import { Badge } from '../../../ui/badge.tsx';
import { CustomButton } from '../../../ui/custom-button.tsx';
import { SettingsCard } from '../settings-card.tsx';
import { useDelayName } from './use-delay-name.ts';

// Lazy: the lock code is large, and every page of the site lists the static imports of this page.
const AppLockDialog = lazy(async () => ({ default: (await import('./app-lock-dialog.tsx')).AppLockDialog }));
const AppLockRemoveDialog = lazy(async () => ({
  default: (await import('./app-lock-remove-dialog.tsx')).AppLockRemoveDialog,
}));

/** Days to try all PINs on one core: `./dev prove app-lock` measures about 0.25 s per guess, times a million. */
const allPinsDays = 3;

async function readLock(account: AccountId): Promise<LockState> {
  return (await import('../../../core/session/app-lock.ts')).openAppLock().readState(account);
}

export function AppLockCard() {
  const { t } = useTranslation('lock');
  const session = useSession();
  const id = session.status === 'signed-in' ? session.account.id : undefined;
  const [state, setState] = useState<LockState>();
  const [open, setOpen] = useState<'set' | 'remove'>();
  const nameDelay = useDelayName();

  useEffect(() => {
    if (id !== undefined) void readLock(AccountId.parse(id)).then(setState);
  }, [id]);

  async function handleDone(account: AccountId): Promise<void> {
    setOpen(undefined);
    const next = await readLock(account);
    setState(next);
    hasLock.write(next.kind !== 'none');
  }

  async function handleLock(): Promise<void> {
    if (id !== undefined) await (await import('../../../core/session/lock-watch.ts')).lockNow(id);
  }

  if (id === undefined || state === undefined || state.kind === 'damaged') return null;
  const account = AccountId.parse(id);
  const lock = state.kind === 'none' ? undefined : state.lock;
  const props = { account, onDone: () => void handleDone(account), onClose: () => setOpen(undefined) };
  return (
    <SettingsCard title={t('card.title')} text={t('card.text')}>
      <p className="mb-4">
        <Badge kind={lock ? 'ok' : 'muted'}>
          {lock ? t('card.on', { method: t(`card.methods.${lock.method}`) }) : t('card.off')}
        </Badge>
      </p>
      <p className="mb-4">{lock ? t('card.covered') : t('card.none')}</p>
      {lock?.method === 'pin' && <p className="mb-4">{t('card.pinCost', { days: allPinsDays })}</p>}
      {lock && (
        <p className="mb-4">
          <span className="block text-small text-muted">{t('set.after')}</span>
          {nameDelay(lock.lockAfterMinutes)}
        </p>
      )}
      <div className="flex flex-wrap gap-2">
        <CustomButton kind={lock ? 'secondary' : 'primary'} onClick={() => setOpen('set')}>
          {lock ? t('card.change') : t('card.set')}
        </CustomButton>
        {lock && (
          <>
            <CustomButton kind="secondary" onClick={() => void handleLock()}>
              {t('card.lockNow')}
            </CustomButton>
            <CustomButton kind="quiet" onClick={() => setOpen('remove')}>
              {t('card.remove')}
            </CustomButton>
          </>
        )}
      </div>
      <Suspense>
        {open === 'set' && <AppLockDialog {...props} {...(lock && { lock })} pinDays={allPinsDays} />}
        {open === 'remove' && lock && <AppLockRemoveDialog {...props} lock={lock} />}
      </Suspense>
    </SettingsCard>
  );
}

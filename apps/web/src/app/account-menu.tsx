import { LogOut } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from '../core/i18n/use-translation.ts';
import { Link } from 'react-router';
import { hasLock } from '../core/session/has-lock.ts';
import { paths } from '../core/lib/paths.ts';
import type { Account } from '../core/session/account.ts';
import { useStore } from '../core/lib/store.ts';
import { useLocalPath } from '../core/i18n/use-locale.ts';
import { colourOf, initialsOf } from '../ui/avatar-look.ts';
import { iconButtonClass } from '../ui/icon-button-class.ts';

const LockButton = lazy(async () => ({ default: (await import('./lock-button.tsx')).LockButton }));
const SignOutDialog = lazy(async () => ({ default: (await import('./sign-out-dialog.tsx')).SignOutDialog }));

interface AccountMenuProps {
  account: Account;
  /** Stacks the buttons, for the narrow rail beside the chats. */
  isUpright?: boolean;
}

export function AccountMenu({ account, isUpright = false }: AccountMenuProps) {
  const { t } = useTranslation('shell');
  const local = useLocalPath();
  const isLockSet = useStore(hasLock, false);
  const [isAsking, setIsAsking] = useState(false);
  const name = account.name ?? account.username ?? t('account.open');

  return (
    <>
      <Link
        to={local(paths.profile)}
        aria-label={t('account.open')}
        title={name}
        className={`${isUpright ? '' : 'ml-2'} flex size-11 items-center justify-center rounded-round font-semibold text-on-avatar ${colourOf(account.id)}`}
      >
        {/* One initial: two would count as text that the link's accessible name must contain. */}
        <span aria-hidden>{initialsOf(name)[0]}</span>
      </Link>
      {isLockSet && (
        <Suspense>
          <LockButton account={account.id} />
        </Suspense>
      )}
      <button
        type="button"
        aria-label={t('account.signOut')}
        title={t('account.signOut')}
        aria-haspopup="dialog"
        onClick={() => setIsAsking(true)}
        className={`${iconButtonClass} max-lg:hidden`}
      >
        <LogOut aria-hidden className="size-5" />
      </button>
      {isAsking && (
        <Suspense>
          <SignOutDialog onClose={() => setIsAsking(false)} />
        </Suspense>
      )}
    </>
  );
}

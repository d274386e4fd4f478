import { LogOut } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { paths } from '../core/paths.ts';
import type { Account } from '../core/session.ts';
import { useLocalPath } from '../core/use-locale.ts';
import { colourOf, initialsOf } from '../ui/avatar-look.ts';
import { IconButton } from '../ui/icon-button.tsx';

const SignOutDialog = lazy(async () => ({ default: (await import('./sign-out-dialog.tsx')).SignOutDialog }));

export function AccountCorner({ account }: { account: Account }) {
  const { t } = useTranslation('shell');
  const local = useLocalPath();
  const [isAsking, setIsAsking] = useState(false);
  const name = account.name ?? account.username ?? t('account.open');

  return (
    <>
      <Link
        to={local(paths.profile)}
        aria-label={t('account.open')}
        title={name}
        className={`ml-2 flex size-11 items-center justify-center rounded-round font-semibold text-on-avatar ${colourOf(account.id)}`}
      >
        <span aria-hidden>{initialsOf(name)}</span>
      </Link>
      <div className="max-lg:hidden">
        <IconButton
          label={t('account.signOut')}
          icon={<LogOut aria-hidden className="size-5" />}
          onClick={() => setIsAsking(true)}
        />
      </div>
      {isAsking && (
        <Suspense>
          <SignOutDialog onClose={() => setIsAsking(false)} />
        </Suspense>
      )}
    </>
  );
}

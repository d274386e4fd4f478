import { lazy, Suspense } from 'react';
import { Navigate, Outlet, useLocation } from 'react-router';
import { stripLocale } from '../../core/locale.ts';
import { signInPathFor } from '../../core/next-page.ts';
import { useSession } from '../../core/session.ts';
import { useLocalPath } from '../../core/use-locale.ts';
import { OriginGate } from '../origin-gate.tsx';
import { WaitingPage } from '../waiting-page.tsx';

const LockPage = lazy(async () => ({ default: (await import('../../features/lock/lock-page.tsx')).LockPage }));

/** Pages for people who are signed in; others go to sign-in and come back afterwards. */
export default function MembersLayout() {
  const session = useSession();
  const local = useLocalPath();
  const { pathname, search } = useLocation();

  if (session.status === 'unknown') return <WaitingPage />;
  if (session.status === 'locked') {
    return (
      <Suspense fallback={<WaitingPage />}>
        <LockPage account={session.account} />
      </Suspense>
    );
  }
  if (session.status === 'signed-out') {
    return <Navigate to={local(signInPathFor(stripLocale(pathname) + search))} replace />;
  }
  return (
    <OriginGate>
      <Outlet />
    </OriginGate>
  );
}

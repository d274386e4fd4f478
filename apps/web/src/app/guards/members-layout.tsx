import { lazy, Suspense } from 'react';
import { Navigate, Outlet, useLocation, useParams } from 'react-router';
import { stripLocale } from '../../core/i18n/locale.ts';
import { signInPathFor } from '../../core/session/next-page.ts';
import { paths } from '../../core/lib/paths.ts';
import { useSession } from '../../core/session/session.ts';
import { useLocalPath } from '../../core/i18n/use-locale.ts';
import { OriginGate } from '../origin-gate.tsx';
import { LoadingPage } from '../loading-page.tsx';

const LockPage = lazy(async () => ({ default: (await import('../../features/lock/lock-page.tsx')).LockPage }));

/** Pages for signed-in people; visitors go to sign-in and come back afterwards. */
export default function MembersLayout() {
  const session = useSession();
  const local = useLocalPath();
  const { pathname, search, hash, state } = useLocation();
  const { username } = useParams();
  const left = readLeftChat(state);

  if (session.status === 'unknown') return <LoadingPage />;
  if (session.status === 'locked') {
    // The path of a chat names a person: it is kept in this tab until the app is unlocked.
    if (username !== undefined) {
      return <Navigate to={local(paths.contacts)} replace state={{ leftChat: pathname + search + hash }} />;
    }
    return (
      <Suspense fallback={<LoadingPage />}>
        <LockPage account={session.account} />
      </Suspense>
    );
  }
  if (session.status === 'signed-out') {
    return <Navigate to={local(signInPathFor(stripLocale(pathname) + search))} replace />;
  }
  if (left !== undefined) return <Navigate to={left} replace />;
  return (
    <OriginGate>
      <Outlet />
    </OriginGate>
  );
}

function readLeftChat(state: unknown): string | undefined {
  const { leftChat } = (state ?? {}) as { leftChat?: unknown };
  return typeof leftChat === 'string' ? leftChat : undefined;
}

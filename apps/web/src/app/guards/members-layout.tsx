import { Navigate, Outlet, useLocation } from 'react-router';
import { stripLocale } from '../../core/locale.ts';
import { paths } from '../../core/paths.ts';
import { useSession } from '../../core/session.ts';
import { useLocalPath } from '../../core/use-locale.ts';
import { OriginGate } from '../origin-gate.tsx';
import { WaitingPage } from '../waiting-page.tsx';

/** Pages for people who are signed in; others go to sign-in and come back afterwards. */
export default function MembersLayout() {
  const session = useSession();
  const local = useLocalPath();
  const { pathname, search } = useLocation();

  if (session.status === 'unknown') return <WaitingPage />;
  if (session.status === 'signed-out') {
    return <Navigate to={local(paths.signIn)} replace state={{ next: stripLocale(pathname) + search }} />;
  }
  return (
    <OriginGate>
      <Outlet />
    </OriginGate>
  );
}

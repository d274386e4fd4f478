import { Navigate, Outlet, useLocation } from 'react-router';
import { hasPendingInvite } from '../../core/session/pending-invite.ts';
import { readNextPage } from '../../core/session/next-page.ts';
import { paths } from '../../core/lib/paths.ts';
import { useSession } from '../../core/session/session.ts';
import { useLocalPath } from '../../core/i18n/use-locale.ts';
import { OriginGate } from '../origin-gate.tsx';

/** Pages for visitors. Signed-in people go to their invite, the page they wanted, or their profile. */
export default function GuestsLayout() {
  const session = useSession();
  const local = useLocalPath();
  const { search } = useLocation();

  if (session.status === 'signed-in' || session.status === 'locked') {
    // Only pages for members show the lock screen, and an invite has to wait until the app is unlocked.
    const next = hasPendingInvite() && session.status === 'signed-in' ? paths.invite : readNextPage(search);
    return <Navigate to={local(next ?? paths.profile)} replace />;
  }
  return (
    <OriginGate>
      <Outlet />
    </OriginGate>
  );
}

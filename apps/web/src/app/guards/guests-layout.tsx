import { Navigate, Outlet, useLocation } from 'react-router';
import { hasPendingInvite } from '../../core/session/pending-invite.ts';
import { readNextPage } from '../../core/session/next-page.ts';
import { paths } from '../../core/lib/paths.ts';
import { useSession } from '../../core/session/session.ts';
import { useLocalPath } from '../../core/i18n/use-locale.ts';
import { OriginGate } from '../origin-gate.tsx';

/** Pages for people who are not signed in yet. The rest go where they were invited or wanted to be, or to their profile. */
export default function GuestsLayout() {
  const session = useSession();
  const local = useLocalPath();
  const { search } = useLocation();

  if (session.status === 'signed-in' || session.status === 'locked') {
    // The lock screen stands before the pages of members only, and an invite has to wait for it.
    const next = hasPendingInvite() && session.status === 'signed-in' ? paths.invite : readNextPage(search);
    return <Navigate to={local(next ?? paths.profile)} replace />;
  }
  return (
    <OriginGate>
      <Outlet />
    </OriginGate>
  );
}

import { Navigate, Outlet, useLocation } from 'react-router';
import { paths } from '../../core/paths.ts';
import { useSession } from '../../core/session.ts';
import { useLocalPath } from '../../core/use-locale.ts';
import { OriginGate } from '../origin-gate.tsx';

function readNext(state: unknown): string | undefined {
  if (typeof state !== 'object' || state === null || !('next' in state)) return undefined;
  return typeof state.next === 'string' && /^\/(?!\/)/.test(state.next) ? state.next : undefined;
}

/** Pages for people who are not signed in yet. The rest go where they wanted to be, or to their profile. */
export default function GuestsLayout() {
  const session = useSession();
  const local = useLocalPath();
  const { state } = useLocation();

  if (session.status === 'signed-in') return <Navigate to={local(readNext(state) ?? paths.profile)} replace />;
  return (
    <OriginGate>
      <Outlet />
    </OriginGate>
  );
}

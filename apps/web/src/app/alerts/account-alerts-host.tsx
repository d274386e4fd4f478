import type { AccountId } from '@dostar/protocol/ids';
import { lazy, Suspense, useEffect, useState } from 'react';
import { useSession } from '../../core/session/session.ts';

const AlertCenter = lazy(async () => ({ default: (await import('./alert-center.tsx')).AlertCenter }));

const ContactDialogs = lazy(async () => ({ default: (await import('../people/contact-dialogs.tsx')).ContactDialogs }));

/** Visitors load nothing of it. It may be late: it shows what was known ten seconds ago. */
export function AccountAlertsHost() {
  const session = useSession();
  const isIdle = useIdle();
  if (session.status !== 'signed-in' || !isIdle) return null;
  const account = session.account.id as AccountId;
  return (
    <>
      <Suspense>
        <AlertCenter account={account} />
      </Suspense>
      <Suspense>
        <ContactDialogs account={account} />
      </Suspense>
    </>
  );
}

/** The page has drawn what it came for, or three seconds have passed. */
function useIdle(): boolean {
  const [isIdle, setIsIdle] = useState(false);
  useEffect(() => {
    // Safari has no such call.
    if (window.requestIdleCallback === undefined) {
      const timer = setTimeout(() => setIsIdle(true), 1_000);
      return () => clearTimeout(timer);
    }
    const call = window.requestIdleCallback(() => setIsIdle(true), { timeout: 3_000 });
    return () => window.cancelIdleCallback(call);
  }, []);
  return isIdle;
}

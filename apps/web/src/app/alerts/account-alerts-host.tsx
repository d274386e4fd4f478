import type { AccountId } from '@dostar/protocol/ids';
import { lazy, Suspense, useEffect, useState } from 'react';
import { useSession } from '../../core/session/session.ts';

const AlertCenter = lazy(async () => ({ default: (await import('./alert-center.tsx')).AlertCenter }));

const ContactDialogs = lazy(async () => ({ default: (await import('../people/contact-dialogs.tsx')).ContactDialogs }));

/** Loads the alerts for signed-in users only. They may be late: they may show a state ten seconds old. */
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

/** True once the page has rendered its main content, or after three seconds. */
function useIdle(): boolean {
  const [isIdle, setIsIdle] = useState(false);
  useEffect(() => {
    // Safari lacks this function.
    if (window.requestIdleCallback === undefined) {
      const timer = setTimeout(() => setIsIdle(true), 1_000);
      return () => clearTimeout(timer);
    }
    const call = window.requestIdleCallback(() => setIsIdle(true), { timeout: 3_000 });
    return () => window.cancelIdleCallback(call);
  }, []);
  return isIdle;
}

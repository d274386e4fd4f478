import { lazy, Suspense } from 'react';
import { useFixed } from '../core/lib/use-fixed.ts';

const DebugDetails = lazy(async () => ({ default: (await import('./debug-details.tsx')).DebugDetails }));

/** localhost or a bare IP address: used by developers and support, not by the public. */
export function isLocalHost(hostname: string): boolean {
  return hostname === 'localhost' || /^\d{1,3}(\.\d{1,3}){3}$/.test(hostname) || hostname.startsWith('[');
}

function isShownHere(): boolean {
  return isLocalHost(window.location.hostname);
}

export function DebugPanel() {
  const isShown = useFixed(isShownHere, false);

  if (!isShown) return null;
  return (
    <Suspense>
      <DebugDetails />
    </Suspense>
  );
}

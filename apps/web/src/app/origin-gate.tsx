import { lazy, type ReactNode, Suspense, useSyncExternalStore } from 'react';
import { findOriginTrouble, type OriginTrouble, readSurroundings } from '../core/origin.ts';

const OriginTroubleNotice = lazy(async () => ({
  default: (await import('./origin-trouble-notice.tsx')).OriginTroubleNotice,
}));

// Neither the address nor the browser changes under an open page.
function watchNothing(): () => void {
  return () => undefined;
}

function readTrouble(): OriginTrouble | undefined {
  return findOriginTrouble(readSurroundings());
}

/** Stands in for every page that needs keys, where keys can't be kept. Public pages stay readable. */
export function OriginGate({ children }: { children: ReactNode }) {
  const trouble = useSyncExternalStore(watchNothing, readTrouble, () => undefined);

  if (trouble === undefined) return children;
  return (
    <Suspense>
      <OriginTroubleNotice trouble={trouble} />
    </Suspense>
  );
}

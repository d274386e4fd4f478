import { lazy, type ReactNode, Suspense } from 'react';
import { findOriginTrouble, type OriginTrouble, readSurroundings } from '../core/pwa/origin.ts';
import { useFixed } from '../core/lib/use-fixed.ts';

const OriginTroubleNotice = lazy(async () => ({
  default: (await import('./origin-trouble-notice.tsx')).OriginTroubleNotice,
}));

function readTrouble(): OriginTrouble | undefined {
  return findOriginTrouble(readSurroundings());
}

/** Stands in for every page that needs keys, where keys can't be kept. Public pages stay readable. */
export function OriginGate({ children }: { children: ReactNode }) {
  const trouble = useFixed(readTrouble, undefined);

  if (trouble === undefined) return children;
  return (
    <Suspense>
      <OriginTroubleNotice trouble={trouble} />
    </Suspense>
  );
}

import { lazy, type ReactNode, Suspense } from 'react';
import { findOriginProblem, type OriginProblem, readBrowserContext } from '../core/pwa/origin.ts';
import { useFixed } from '../core/lib/use-fixed.ts';

const OriginProblemPage = lazy(async () => ({
  default: (await import('./origin-problem-page.tsx')).OriginProblemPage,
}));

function readOriginProblem(): OriginProblem | undefined {
  return findOriginProblem(readBrowserContext());
}

/** Replaces every page that needs keys if this origin can't keep keys. Public pages stay readable. */
export function OriginGate({ children }: { children: ReactNode }) {
  const problem = useFixed(readOriginProblem, undefined);

  if (problem === undefined) return children;
  return (
    <Suspense>
      <OriginProblemPage problem={problem} />
    </Suspense>
  );
}

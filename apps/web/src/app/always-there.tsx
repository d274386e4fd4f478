import { lazy, Suspense } from 'react';
import { useAnalytics } from '../core/firebase/analytics-consent.ts';
import { useNewVersion } from '../core/pwa/new-version.ts';
import { UpdateNotice } from './update-notice.tsx';
import { WantedPath } from './wanted-path.tsx';

const AnalyticsLife = lazy(async () => ({ default: (await import('./analytics-life.tsx')).AnalyticsLife }));

/** What the service worker has to say to a page, and usage statistics where the operator has configured them. */
export function AlwaysThere() {
  const { measurementId } = useAnalytics();
  const newer = useNewVersion();
  return (
    <>
      <UpdateNotice />
      <WantedPath />
      {measurementId !== undefined && (
        <Suspense>
          <AnalyticsLife canAsk={newer === undefined} />
        </Suspense>
      )}
    </>
  );
}

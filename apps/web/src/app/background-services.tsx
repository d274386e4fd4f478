import { lazy, Suspense } from 'react';
import { useAnalytics } from '../core/firebase/analytics-consent.ts';
import { useNewVersion } from '../core/pwa/new-version.ts';
import { UpdateAlert } from './update-alert.tsx';
import { NotificationNavigation } from './notification-navigation.tsx';

const AnalyticsTracker = lazy(async () => ({ default: (await import('./analytics-tracker.tsx')).AnalyticsTracker }));

/** Messages of the service worker to the page, and usage statistics if the operator has configured them. */
export function BackgroundServices() {
  const { measurementId } = useAnalytics();
  const newer = useNewVersion();
  return (
    <>
      <UpdateAlert />
      <NotificationNavigation />
      {measurementId !== undefined && (
        <Suspense>
          <AnalyticsTracker canAsk={newer === undefined} />
        </Suspense>
      )}
    </>
  );
}

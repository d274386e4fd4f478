import { lazy, Suspense } from 'react';
import { pageMeta } from '../../core/lib/page-meta.ts';
import { requestTexts } from '../../core/i18n/texts.ts';

await requestTexts('profile');

export const meta = pageMeta('profile', 'work');

// Lazy: every page of the site lists the imports of every route, and this keeps the tab's imports out of that list.
const WorkTab = lazy(async () => ({ default: (await import('./work-tab.tsx')).WorkTab }));

export default function WorkPage() {
  return (
    <Suspense>
      <WorkTab />
    </Suspense>
  );
}

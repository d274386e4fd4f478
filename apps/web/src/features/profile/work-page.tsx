import { lazy, Suspense } from 'react';
import { pageMeta } from '../../core/lib/page-meta.ts';
import { requestTexts } from '../../core/i18n/texts.ts';

await requestTexts('profile');

export const meta = pageMeta('profile', 'work');

// Every page of the site loads a list of what each route needs at once: behind this line it is none of theirs.
const WorkTab = lazy(async () => ({ default: (await import('./work-tab.tsx')).WorkTab }));

export default function WorkPage() {
  return (
    <Suspense>
      <WorkTab />
    </Suspense>
  );
}

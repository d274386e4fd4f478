import { lazy, Suspense } from 'react';
import { pageMeta } from '../../core/lib/page-meta.ts';
import { requestTexts } from '../../core/i18n/texts.ts';

await requestTexts('profile');

export const meta = pageMeta('profile', 'education');

// Every page of the site loads a list of what each route needs at once: behind this line it is none of theirs.
const EducationTab = lazy(async () => ({ default: (await import('./education-tab.tsx')).EducationTab }));

export default function EducationPage() {
  return (
    <Suspense>
      <EducationTab />
    </Suspense>
  );
}

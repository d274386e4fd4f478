import { lazy, Suspense } from 'react';
import { pageMeta } from '../../core/lib/page-meta.ts';
import { requestTexts } from '../../core/i18n/texts.ts';

await requestTexts('profile');

export const meta = pageMeta('profile', 'personal');

// Every page of the site loads a list of what each route needs at once: behind this line it is none of theirs.
const PersonalTab = lazy(async () => ({ default: (await import('./personal-tab.tsx')).PersonalTab }));

export default function PersonalPage() {
  return (
    <Suspense>
      <PersonalTab />
    </Suspense>
  );
}

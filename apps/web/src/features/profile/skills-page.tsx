import { lazy, Suspense } from 'react';
import { pageMeta } from '../../core/lib/page-meta.ts';
import { requestTexts } from '../../core/i18n/texts.ts';

await requestTexts('profile');

export const meta = pageMeta('profile', 'skills');

// Every page of the site loads a list of what each route needs at once: behind this line it is none of theirs.
const SkillsTab = lazy(async () => ({ default: (await import('./skills-tab.tsx')).SkillsTab }));

export default function SkillsPage() {
  return (
    <Suspense>
      <SkillsTab />
    </Suspense>
  );
}

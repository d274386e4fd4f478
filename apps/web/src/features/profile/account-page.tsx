import { lazy, Suspense } from 'react';
import { pageMeta } from '../../core/lib/page-meta.ts';
import { requestTexts } from '../../core/i18n/texts.ts';

await requestTexts('profile');

export const meta = pageMeta('profile', 'account');

// Every page of the site loads a list of what each route needs at once: behind this line it is none of theirs.
const AccountTab = lazy(async () => ({ default: (await import('./account-tab.tsx')).AccountTab }));

export default function AccountPage() {
  return (
    <Suspense>
      <AccountTab />
    </Suspense>
  );
}

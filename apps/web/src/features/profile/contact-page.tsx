import { lazy, Suspense } from 'react';
import { pageMeta } from '../../core/lib/page-meta.ts';
import { requestTexts } from '../../core/i18n/texts.ts';

await requestTexts('profile');

export const meta = pageMeta('profile', 'contact');

// Lazy: every page of the site lists the imports of every route, and this keeps the tab's imports out of that list.
const ContactTab = lazy(async () => ({ default: (await import('./contact-tab.tsx')).ContactTab }));

export default function ContactPage() {
  return (
    <Suspense>
      <ContactTab />
    </Suspense>
  );
}

import { lazy, Suspense } from 'react';
import { useTranslation } from '../../../core/i18n/use-translation.ts';
import { pageMeta } from '../../../core/lib/page-meta.ts';
import { useSession } from '../../../core/session/session.ts';
import { requestTexts } from '../../../core/i18n/texts.ts';
import { SettingsCard } from '../settings-card.tsx';
import { SettingsHeading } from '../settings-heading.tsx';

await requestTexts('settings');

// Lazy: a static import would add its switch to the list of routes that every page loads.
const AnalyticsCard = lazy(async () => ({ default: (await import('./analytics-card.tsx')).AnalyticsCard }));

export const meta = pageMeta('settings', 'privacy');

const parts = [
  { part: 'cannot', lines: ['messages', 'password', 'keys'] },
  { part: 'knows', lines: ['email', 'whom', 'when', 'devices'] },
  { part: 'never', lines: ['sell', 'others', 'place'] },
  { part: 'limits', lines: ['code', 'weak', 'disk', 'copies'] },
  { part: 'leave', lines: ['delete', 'kept'] },
] as const;

/** Explains what the server knows and cannot know. Also for visitors without an account. */
export default function PrivacyPage() {
  const { t } = useTranslation('settings');
  const session = useSession();
  return (
    <>
      <SettingsHeading title={t('pages.privacy.title')} lead={t('pages.privacy.description')} />
      {session.status === 'signed-in' && (
        <Suspense>
          <AnalyticsCard />
        </Suspense>
      )}
      {parts.map(({ part, lines }) => (
        <SettingsCard key={part} title={t(`privacy.${part}.title`)}>
          <ul className="mt-2 list-disc space-y-1.5 pl-5">
            {lines.map((line) => (
              <li key={line}>{t(`privacy.${part}.${line}` as 'privacy.cannot.messages')}</li>
            ))}
          </ul>
        </SettingsCard>
      ))}
    </>
  );
}

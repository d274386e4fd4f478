import type { Privacy } from '@dostar/protocol/contract/privacy';
import { useState } from 'react';
import { useTranslation } from '../../../core/i18n/use-translation.ts';
import { showFeedback, successDuration } from '../../../core/lib/feedback.ts';
import { useMessenger } from '../../../core/messenger/messenger.ts';
import { pageMeta } from '../../../core/lib/page-meta.ts';
import { requestTexts } from '../../../core/i18n/texts.ts';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { settingsCardClass } from '../settings-card.tsx';
import { SettingsHeading } from '../settings-heading.tsx';
import { VisibilityForm } from './visibility-form.tsx';

await requestTexts('settings', 'preferences');

export const meta = pageMeta('preferences', 'visibility');

/** Privacy settings, updated optimistically: a change is shown at once and reverted if the server cannot be reached. */
export default function VisibilityPage() {
  const { t } = useTranslation('preferences');
  const client = useMessenger();
  const [pending, setPending] = useState<Partial<Privacy>>({});

  async function handleChange(changes: Partial<Privacy>): Promise<void> {
    setPending((before) => ({ ...before, ...changes }));
    try {
      await client?.contacts.setPrivacy(changes);
      showFeedback('success', t('saved'), successDuration);
    } catch {
      setPending({});
      showFeedback('error', t('offline'));
    }
  }

  return (
    <>
      <SettingsHeading title={t('pages.visibility.title')} lead={t('pages.visibility.description')} />
      {client === undefined ? (
        <section className={settingsCardClass} aria-busy>
          <Skeleton className="h-40" />
        </section>
      ) : (
        <VisibilityForm client={client} pending={pending} onChange={(changes) => void handleChange(changes)} />
      )}
    </>
  );
}

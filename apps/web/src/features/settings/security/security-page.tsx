import { useTranslation } from '../../../core/i18n/use-translation.ts';
import { pageMeta } from '../../../core/lib/page-meta.ts';
import { requestTexts } from '../../../core/i18n/texts.ts';
import { SettingsHeading } from '../settings-heading.tsx';
import { AppLockCard } from './app-lock-card.tsx';
import { PasswordCard } from './password-card.tsx';
import { RecoveryKeyCard } from './recovery-key-card.tsx';

await requestTexts('settings', 'auth', 'lock');

export const meta = pageMeta('settings', 'security');

export default function SecurityPage() {
  const { t } = useTranslation('settings');
  return (
    <>
      <SettingsHeading title={t('pages.security.title')} lead={t('pages.security.description')} />
      <AppLockCard />
      <PasswordCard />
      <RecoveryKeyCard />
    </>
  );
}

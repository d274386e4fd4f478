import { useTranslation } from '../../../core/i18n/use-translation.ts';
import { pageMeta } from '../../../core/lib/page-meta.ts';
import { requestTexts } from '../../../core/i18n/texts.ts';
import { SettingsHeading } from '../settings-heading.tsx';
import { DeleteCard } from './delete-card.tsx';
import { EmailCard } from './email-card.tsx';

await requestTexts('settings');

export const meta = pageMeta('settings', 'account');

export default function AccountPage() {
  const { t } = useTranslation('settings');
  return (
    <>
      <SettingsHeading title={t('pages.account.title')} lead={t('pages.account.description')} />
      <EmailCard />
      <DeleteCard />
    </>
  );
}

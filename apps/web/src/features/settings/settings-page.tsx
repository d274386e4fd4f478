import { useTranslation } from 'react-i18next';
import { pageMeta } from '../../core/page-meta.ts';
import { wantTexts } from '../../core/texts.ts';

await wantTexts('settings');

export const meta = pageMeta('settings', 'settings');

export default function SettingsPage() {
  const { t } = useTranslation('settings');
  return (
    <>
      <h1 className="text-headline font-bold">{t('pages.settings.title')}</h1>
      <p className="mt-2 text-muted">{t('pages.settings.description')}</p>
    </>
  );
}

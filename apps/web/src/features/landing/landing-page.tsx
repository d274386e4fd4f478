import { useTranslation } from 'react-i18next';
import { pageMeta } from '../../core/page-meta.ts';
import { wantTexts } from '../../core/texts.ts';

await wantTexts('landing');

export const meta = pageMeta('landing', 'home');

export default function LandingPage() {
  const { t } = useTranslation('landing');
  return (
    <>
      <h1 className="text-headline font-bold">{t('pages.home.title')}</h1>
      <p className="mt-2 text-muted">{t('pages.home.description')}</p>
    </>
  );
}

import { useTranslation } from 'react-i18next';
import { pageMeta } from '../../core/page-meta.ts';
import { wantTexts } from '../../core/texts.ts';

await wantTexts('about');

export const meta = pageMeta('about', 'about');

export default function AboutPage() {
  const { t } = useTranslation('about');
  return (
    <>
      <h1 className="text-headline font-bold">{t('pages.about.title')}</h1>
      <p className="mt-2 text-muted">{t('pages.about.description')}</p>
    </>
  );
}

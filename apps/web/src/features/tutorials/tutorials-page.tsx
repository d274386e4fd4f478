import { useTranslation } from 'react-i18next';
import { pageMeta } from '../../core/page-meta.ts';
import { wantTexts } from '../../core/texts.ts';

await wantTexts('tutorials');

export const meta = pageMeta('tutorials', 'tutorials');

export default function TutorialsPage() {
  const { t } = useTranslation('tutorials');
  return (
    <>
      <h1 className="text-headline font-bold">{t('pages.tutorials.title')}</h1>
      <p className="mt-2 text-muted">{t('pages.tutorials.description')}</p>
    </>
  );
}

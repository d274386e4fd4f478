import { useTranslation } from 'react-i18next';
import { pageMeta } from '../../core/page-meta.ts';
import { wantTexts } from '../../core/texts.ts';

await wantTexts('profile');

export const meta = pageMeta('profile', 'education');

export default function EducationPage() {
  const { t } = useTranslation('profile');
  return (
    <>
      <h1 className="text-headline font-bold">{t('pages.education.title')}</h1>
      <p className="mt-2 text-muted">{t('pages.education.description')}</p>
    </>
  );
}

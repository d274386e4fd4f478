import { useTranslation } from 'react-i18next';
import { pageMeta } from '../../core/page-meta.ts';
import { wantTexts } from '../../core/texts.ts';

await wantTexts('profile');

export const meta = pageMeta('profile', 'personal');

export default function PersonalPage() {
  const { t } = useTranslation('profile');
  return (
    <>
      <h1 className="text-headline font-bold">{t('pages.personal.title')}</h1>
      <p className="mt-2 text-muted">{t('pages.personal.description')}</p>
    </>
  );
}

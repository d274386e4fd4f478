import { useTranslation } from 'react-i18next';
import { pageMeta } from '../../core/page-meta.ts';
import { wantTexts } from '../../core/texts.ts';

await wantTexts('checks');

export const meta = pageMeta('checks', 'test5');

export default function Test5Page() {
  const { t } = useTranslation('checks');
  return (
    <>
      <h1 className="text-headline font-bold">{t('pages.test5.title')}</h1>
      <p className="mt-2 text-muted">{t('pages.test5.description')}</p>
    </>
  );
}

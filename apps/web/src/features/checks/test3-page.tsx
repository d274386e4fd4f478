import { useTranslation } from 'react-i18next';
import { pageMeta } from '../../core/page-meta.ts';
import { wantTexts } from '../../core/texts.ts';

await wantTexts('checks');

export const meta = pageMeta('checks', 'test3');

export default function Test3Page() {
  const { t } = useTranslation('checks');
  return (
    <>
      <h1 className="text-headline font-bold">{t('pages.test3.title')}</h1>
      <p className="mt-2 text-muted">{t('pages.test3.description')}</p>
    </>
  );
}

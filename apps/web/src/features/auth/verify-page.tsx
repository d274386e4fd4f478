import { useTranslation } from 'react-i18next';
import { pageMeta } from '../../core/page-meta.ts';
import { wantTexts } from '../../core/texts.ts';

await wantTexts('auth');

export const meta = pageMeta('auth', 'verify');

export default function VerifyPage() {
  const { t } = useTranslation('auth');
  return (
    <>
      <h1 className="text-headline font-bold">{t('pages.verify.title')}</h1>
      <p className="mt-2 text-muted">{t('pages.verify.description')}</p>
    </>
  );
}

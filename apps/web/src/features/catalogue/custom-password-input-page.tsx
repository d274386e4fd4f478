import { useTranslation } from 'react-i18next';
import { pageMeta } from '../../core/page-meta.ts';
import { wantTexts } from '../../core/texts.ts';

await wantTexts('catalogue');

export const meta = pageMeta('catalogue', 'customPasswordInput');

export default function CustomPasswordInputPage() {
  const { t } = useTranslation('catalogue');
  return (
    <>
      <h1 className="text-headline font-bold">{t('pages.customPasswordInput.title')}</h1>
      <p className="mt-2 text-muted">{t('pages.customPasswordInput.description')}</p>
    </>
  );
}

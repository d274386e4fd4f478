import { useTranslation } from 'react-i18next';
import { pageMeta } from '../../core/page-meta.ts';
import { wantTexts } from '../../core/texts.ts';

await wantTexts('catalogue');

export const meta = pageMeta('catalogue', 'customLabel');

export default function CustomLabelPage() {
  const { t } = useTranslation('catalogue');
  return (
    <>
      <h1 className="text-headline font-bold">{t('pages.customLabel.title')}</h1>
      <p className="mt-2 text-muted">{t('pages.customLabel.description')}</p>
    </>
  );
}

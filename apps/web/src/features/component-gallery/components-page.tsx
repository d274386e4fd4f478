import { useTranslation } from '../../core/i18n/use-translation.ts';
import { pageMeta } from '../../core/lib/page-meta.ts';
import { requestTexts } from '../../core/i18n/texts.ts';
import { ChooseDemos } from './choose-demos.tsx';
import { FloatDemos } from './float-demos.tsx';
import { PressDemos } from './press-demos.tsx';
import { ShowDemos } from './show-demos.tsx';
import { TypeDemos } from './type-demos.tsx';
import { WaitDemos } from './wait-demos.tsx';

await requestTexts('components');

export const meta = pageMeta('components', 'components');

export default function ComponentsPage() {
  const { t } = useTranslation('components');
  return (
    <>
      <h1 className="text-headline font-bold tracking-tight">{t('pages.components.title')}</h1>
      <p className="mt-2 max-w-2xl text-field text-muted">{t('intro')}</p>
      <PressDemos />
      <TypeDemos />
      <ChooseDemos />
      <FloatDemos />
      <ShowDemos />
      <WaitDemos />
    </>
  );
}

import { useTranslation } from '../../core/i18n/use-translation.ts';
import { pageMeta } from '../../core/lib/page-meta.ts';
import { requestTexts } from '../../core/i18n/texts.ts';
import { CheckList } from './check-list.tsx';
import { storageChecks } from './storage-checks.ts';

await requestTexts('checks');

export const meta = pageMeta('checks', 'test4');

export default function Test4Page() {
  const { t } = useTranslation('checks');
  return <CheckList title={t('pages.test4.title')} text={t('pages.test4.description')} checks={storageChecks} />;
}

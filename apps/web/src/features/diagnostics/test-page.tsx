import { useTranslation } from '../../core/i18n/use-translation.ts';
import { pageMeta } from '../../core/lib/page-meta.ts';
import { requestTexts } from '../../core/i18n/texts.ts';
import { CheckList } from './check-list.tsx';
import { browserChecks } from './browser-checks.ts';

await requestTexts('checks');

export const meta = pageMeta('checks', 'test');

export default function TestPage() {
  const { t } = useTranslation('checks');
  return <CheckList title={t('pages.test.title')} text={t('pages.test.description')} checks={browserChecks} />;
}

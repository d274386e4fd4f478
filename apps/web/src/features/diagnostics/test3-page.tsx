import { useTranslation } from '../../core/i18n/use-translation.ts';
import { pageMeta } from '../../core/lib/page-meta.ts';
import { requestTexts } from '../../core/i18n/texts.ts';
import { CheckList } from './check-list.tsx';
import { connectionChecks } from './connection-checks.ts';

await requestTexts('checks');

export const meta = pageMeta('checks', 'test3');

export default function Test3Page() {
  const { t } = useTranslation('checks');
  return <CheckList title={t('pages.test3.title')} text={t('pages.test3.description')} checks={connectionChecks} />;
}

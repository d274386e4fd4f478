import { useTranslation } from '../../core/i18n/use-translation.ts';
import { pageMeta } from '../../core/lib/page-meta.ts';
import { requestTexts } from '../../core/i18n/texts.ts';
import { CheckList } from './check-list.tsx';
import { encryptionChecks } from './encryption-checks.ts';

await requestTexts('checks');

export const meta = pageMeta('checks', 'test2');

export default function Test2Page() {
  const { t } = useTranslation('checks');
  return <CheckList title={t('pages.test2.title')} text={t('pages.test2.description')} checks={encryptionChecks} />;
}

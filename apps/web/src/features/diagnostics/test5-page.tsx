import { useTranslation } from '../../core/i18n/use-translation.ts';
import { pageMeta } from '../../core/lib/page-meta.ts';
import { requestTexts } from '../../core/i18n/texts.ts';
import { CheckList } from './check-list.tsx';
import { notificationChecks } from './notification-checks.ts';

await requestTexts('checks');

export const meta = pageMeta('checks', 'test5');

export default function Test5Page() {
  const { t } = useTranslation('checks');
  return <CheckList title={t('pages.test5.title')} text={t('pages.test5.description')} checks={notificationChecks} />;
}

import { UserRoundSearch } from 'lucide-react';
import { useTranslation } from '../../core/i18n/use-translation.ts';
import { Link } from 'react-router';
import { pageMeta } from '../../core/lib/page-meta.ts';
import { paths } from '../../core/lib/paths.ts';
import { requestTexts } from '../../core/i18n/texts.ts';
import { useLocalPath } from '../../core/i18n/use-locale.ts';
import { buttonClass } from '../../ui/button-class.ts';
import { EmptyState } from '../../ui/empty-state.tsx';

await requestTexts('contacts');

export const meta = pageMeta('contacts', 'noContact');

export default function NoContactPage() {
  const { t } = useTranslation('contacts');
  const local = useLocalPath();
  return (
    <EmptyState
      heading="h1"
      picture={<UserRoundSearch aria-hidden className="size-20" strokeWidth={1.25} />}
      title={t('pages.noContact.title')}
      text={t('noContact.text')}
      action={
        <>
          <Link to={local(paths.searchContacts)} className={buttonClass({})}>
            {t('noContact.find')}
          </Link>
          <Link to={local(paths.contacts)} className={buttonClass({ kind: 'secondary' })}>
            {t('noContact.chats')}
          </Link>
        </>
      }
    />
  );
}

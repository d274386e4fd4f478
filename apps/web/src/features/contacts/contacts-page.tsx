import { MessagesSquare } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { pageMeta } from '../../core/page-meta.ts';
import { paths } from '../../core/paths.ts';
import { wantTexts } from '../../core/texts.ts';
import { useLocalPath } from '../../core/use-locale.ts';
import { buttonClass } from '../../ui/button-class.ts';
import { EmptyState } from '../../ui/empty-state.tsx';

await wantTexts('contacts');

export const meta = pageMeta('contacts', 'contacts');

export default function ContactsPage() {
  const { t } = useTranslation('contacts');
  const local = useLocalPath();
  return (
    <>
      <h1 className="text-headline font-bold tracking-tight">{t('pages.contacts.title')}</h1>
      <EmptyState
        picture={<MessagesSquare aria-hidden className="size-12" />}
        title={t('list.emptyTitle')}
        text={t('list.emptyText')}
        action={
          <Link to={local(paths.searchContacts)} className={buttonClass({})}>
            {t('list.find')}
          </Link>
        }
      />
    </>
  );
}

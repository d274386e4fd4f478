import { AccountId } from '@dostar/protocol/ids';
import { ArrowLeft } from 'lucide-react';
import { useTranslation } from '../../core/i18n/use-translation.ts';
import { Link } from 'react-router';
import { useMessenger } from '../../core/messenger/messenger.ts';
import { pageMeta } from '../../core/lib/page-meta.ts';
import { paths } from '../../core/lib/paths.ts';
import { useSession } from '../../core/session/session.ts';
import { requestTexts } from '../../core/i18n/texts.ts';
import { useLocalPath } from '../../core/i18n/use-locale.ts';
import { iconButtonClass } from '../../ui/icon-button-class.ts';
import { Skeleton } from '../../ui/skeleton.tsx';
import { ContactManager } from './contact-manager.tsx';

await requestTexts('contacts');
await requestTexts('said');

export const meta = pageMeta('contacts', 'searchContacts');

export default function SearchContactsPage() {
  const { t } = useTranslation('contacts');
  const local = useLocalPath();
  const client = useMessenger();
  const session = useSession();
  return (
    <div className="flex min-h-0 grow flex-col bg-bg">
      <header className="flex min-h-15.5 shrink-0 items-center gap-1 border-b border-line bg-surface px-2 pt-[env(safe-area-inset-top)] sm:px-4">
        <Link
          to={local(paths.contacts)}
          aria-label={t('back')}
          title={t('back')}
          className={`${iconButtonClass} text-accent md:hidden`}
        >
          <ArrowLeft aria-hidden className="size-6" />
        </Link>
        <h1 className="px-1 text-title font-bold">{t('pages.searchContacts.title')}</h1>
      </header>
      <div className="min-h-0 grow overflow-y-auto">
        <div className="mx-auto max-w-5xl p-3 pb-[max(1.5rem,env(safe-area-inset-bottom))] sm:p-5">
          {client === undefined || session.status !== 'signed-in' ? (
            <Skeleton className="h-60" />
          ) : (
            <ContactManager
              client={client}
              me={{ id: AccountId.parse(session.account.id), username: session.account.username }}
            />
          )}
        </div>
      </div>
    </div>
  );
}

import type { Client } from '@dostar/client';
import { useState } from 'react';
import { useTranslation } from '../../core/i18n/use-translation.ts';
import { useMessenger } from '../../core/messenger/messenger.ts';
import { paths } from '../../core/lib/paths.ts';
import { useLive } from '../../core/lib/use-live.ts';
import { useLocalPath } from '../../core/i18n/use-locale.ts';
import { Skeleton } from '../../ui/skeleton.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { sheetClass } from './group-form.tsx';
import { IdentityDocumentsForm } from './identity-documents-form.tsx';
import { PersonalInformationForm } from './personal-information-form.tsx';
import { UnsavedGuard } from './unsaved-guard.tsx';

/** Data that only the user can read. It leaves this browser only encrypted. */
export function AccountTab() {
  const { t } = useTranslation('profile');
  const local = useLocalPath();
  const client = useMessenger();
  return (
    <div className="flex flex-col gap-5">
      <div>
        <h1 className="text-title font-bold">{t('pages.account.title')}</h1>
        <p className="mt-1 text-muted">
          {t('settingsHint.text')} <TextLink to={local(paths.settingsAccount)}>{t('settingsHint.link')}</TextLink>
        </p>
      </div>
      {client === undefined ? <AccountSkeleton /> : <AccountForms client={client} />}
    </div>
  );
}

function AccountForms({ client }: { client: Client }) {
  const own = useLive(client.live.privateProfile());
  const [isPersonalDirty, setIsPersonalDirty] = useState(false);
  const [isDocumentsDirty, setIsDocumentsDirty] = useState(false);
  if (own === undefined) return <AccountSkeleton />;
  return (
    <>
      <PersonalInformationForm client={client} kept={own.personalInformation} onDirtyChange={setIsPersonalDirty} />
      <IdentityDocumentsForm client={client} kept={own.identityProof} onDirtyChange={setIsDocumentsDirty} />
      <UnsavedGuard isDirty={isPersonalDirty || isDocumentsDirty} />
    </>
  );
}

function AccountSkeleton() {
  const { t } = useTranslation('profile');
  return (
    <div aria-busy className={sheetClass}>
      <span className="sr-only">{t('header.loading')}</span>
      <Skeleton className="h-7 w-48" />
      <Skeleton className="h-13" />
      <Skeleton className="h-13" />
    </div>
  );
}

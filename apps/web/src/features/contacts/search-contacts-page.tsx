import { useTranslation } from 'react-i18next';
import { pageMeta } from '../../core/page-meta.ts';
import { wantTexts } from '../../core/texts.ts';

await wantTexts('contacts');

export const meta = pageMeta('contacts', 'searchContacts');

export default function SearchContactsPage() {
  const { t } = useTranslation('contacts');
  return (
    <>
      <h1 className="text-headline font-bold">{t('pages.searchContacts.title')}</h1>
      <p className="mt-2 text-muted">{t('pages.searchContacts.description')}</p>
    </>
  );
}

import { useTranslation } from 'react-i18next';
import { pageMeta } from '../../core/page-meta.ts';
import { wantTexts } from '../../core/texts.ts';

await wantTexts('contacts');

export const meta = pageMeta('contacts', 'contacts');

export default function ContactsPage() {
  const { t } = useTranslation('contacts');
  return (
    <>
      <h1 className="text-headline font-bold">{t('pages.contacts.title')}</h1>
      <p className="mt-2 text-muted">{t('pages.contacts.description')}</p>
    </>
  );
}

import { useTranslation } from 'react-i18next';
import { pageMeta } from '../../core/page-meta.ts';
import { wantTexts } from '../../core/texts.ts';

await wantTexts('contacts');

export const meta = pageMeta('contacts', 'chat');

export default function ChatPage() {
  const { t } = useTranslation('contacts');
  return (
    <>
      <h1 className="text-headline font-bold">{t('pages.chat.title')}</h1>
      <p className="mt-2 text-muted">{t('pages.chat.description')}</p>
    </>
  );
}

import { MessageCircle } from 'lucide-react';
import { useTranslation } from '../../core/i18n/use-translation.ts';
import { pageMeta } from '../../core/lib/page-meta.ts';
import { requestTexts } from '../../core/i18n/texts.ts';
import { EmptyState } from '../../ui/empty-state.tsx';

await requestTexts('chats');
await requestTexts('said');

export const meta = pageMeta('chats', 'contacts');

/** Placeholder beside the chat list on a wide screen while no chat is open. */
export default function ContactsPage() {
  const { t } = useTranslation('chats');
  return (
    <div className="flex grow items-center justify-center">
      <EmptyState
        picture={<MessageCircle aria-hidden className="size-14" strokeWidth={1.5} />}
        title={t('choose.title')}
        text={t('choose.text')}
      />
    </div>
  );
}

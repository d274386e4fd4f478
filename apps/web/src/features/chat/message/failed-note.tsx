import type { Message } from '@dostar/client';
import { useTranslation } from '../../../core/i18n/use-translation.ts';
import { useChat } from '../chat-context.ts';

/** Note under a message that could not be sent or stored. It stays until the author retries or deletes it. */
export function FailedNote({ message }: { message: Message }) {
  const { t } = useTranslation('chat');
  const { retry, withdraw } = useChat();
  const link = 'min-h-11 px-2 font-semibold underline underline-offset-2';
  return (
    <p className="flex flex-wrap items-center justify-end gap-1 text-small text-danger">
      {t(message.isUnsaved === true ? 'message.unsaved' : 'message.failed')}
      <button type="button" onClick={() => retry(message)} className={link}>
        {t('message.retry')}
      </button>
      <button type="button" onClick={() => withdraw(message)} className={link}>
        {t('message.withdraw')}
      </button>
    </p>
  );
}

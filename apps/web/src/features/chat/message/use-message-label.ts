import type { Message } from '@dostar/client';
import { useTranslation } from '../../../core/i18n/use-translation.ts';
import { formatTime } from '../../../core/i18n/format-date.ts';
import { previewMessage } from '../../../core/messenger/preview-message.ts';
import { useChat } from '../chat-context.ts';

/** Accessible name of a message: sender, content, time, and the status of an own message. */
export function useMessageLabel(): (message: Message, text?: string) => string {
  const { t } = useTranslation('chat');
  const { t: tSaid } = useTranslation('said');
  const { me, nameOf } = useChat();
  return ({ sender, shows, at, status }, text = previewMessage(shows, tSaid)) => {
    const spoken = { name: nameOf(sender), text, time: formatTime(new Date(at)), status: tSaid(`status.${status}`) };
    return sender === me ? t('message.labelOwn', spoken) : t('message.label', spoken);
  };
}

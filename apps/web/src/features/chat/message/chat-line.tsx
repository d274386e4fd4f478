import type { Message } from '@dostar/client';
import { useTranslation } from '../../../core/i18n/use-translation.ts';
import { QuietLine } from '../bubble/quiet-line.tsx';
import { useChat } from '../chat-context.ts';
import { timerName } from '../timer-names.ts';

export function isChatLine({ shows }: Pick<Message, 'shows'>): boolean {
  return shows.state === 'content' && (shows.content.kind === 'timer' || shows.content.kind === 'system');
}

/** A system line about the chat, not a message of a person. */
export function ChatLine({ message: { shows, sender } }: { message: Message }) {
  const { t } = useTranslation('chat');
  const { me, nameOf } = useChat();
  if (shows.state !== 'content') return null;
  const { content } = shows;
  const name = nameOf(sender);
  const isOwn = sender === me;
  if (content.kind === 'system') return <QuietLine>{t(`system.${content.event}`, { name })}</QuietLine>;
  if (content.kind !== 'timer') return null;
  if (content.seconds === 0) return <QuietLine>{isOwn ? t('timer.offOwn') : t('timer.offBy', { name })}</QuietLine>;
  const time = t(`timer.${timerName(content.seconds)}`);
  return <QuietLine>{isOwn ? t('timer.setOwn', { time }) : t('timer.set', { name, time })}</QuietLine>;
}

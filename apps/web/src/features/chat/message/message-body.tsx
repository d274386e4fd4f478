import type { Message } from '@dostar/client';
import { Ban, Clock, ShieldAlert, Sparkles } from 'lucide-react';
import { type ReactNode, Suspense } from 'react';
import { useTranslation } from '../../../core/i18n/use-translation.ts';
import { lazyComponent } from '../../../ui/lazy-component.ts';
import { MediaBody } from '../media/media-body.tsx';
import { isLargeEmoji } from '../text/parse-text.ts';
import { RichText } from '../text/rich-text.tsx';

const VoiceBody = lazyComponent(async () => (await import('../media/voice-body.tsx')).VoiceBody);

/** Content of a bubble, above the time. */
export function MessageBody({ message }: { message: Message }) {
  const { t } = useTranslation('chat');
  const { shows } = message;
  switch (shows.state) {
    case 'content':
      return <ContentBody message={message} content={shows.content} />;
    case 'waiting':
      return <QuietBody icon={<Clock aria-hidden />}>{t('message.waiting')}</QuietBody>;
    case 'deleted':
      return <QuietBody icon={<Ban aria-hidden />}>{t('message.deleted')}</QuietBody>;
    case 'unknown':
      return <QuietBody icon={<Sparkles aria-hidden />}>{t('message.unknown')}</QuietBody>;
    case 'refused':
      return <QuietBody icon={<ShieldAlert aria-hidden />}>{t('message.refused')}</QuietBody>;
  }
}

type Content = Extract<Message['shows'], { state: 'content' }>['content'];

function ContentBody({ message, content }: { message: Message; content: Content }) {
  switch (content.kind) {
    case 'text':
      return isLargeEmoji(content.text) ? (
        <span className="text-hero leading-none">{content.text}</span>
      ) : (
        <RichText text={content.text} mark={message.id} />
      );
    case 'media':
      return <MediaBody message={message} media={content.media} />;
    case 'voice':
      return (
        <Suspense fallback={<div className="h-13 w-68 max-w-full" />}>
          <VoiceBody voice={content.voice} />
        </Suspense>
      );
    // System lines have no bubble: see message-item.
    case 'timer':
    case 'system':
      return null;
  }
}

function QuietBody({ icon, children }: { icon: ReactNode; children: ReactNode }) {
  return (
    <span className="inline-flex items-start gap-2 italic opacity-80 [&_svg]:mt-0.5 [&_svg]:size-4 [&_svg]:shrink-0">
      {icon}
      {children}
    </span>
  );
}

/** The one-line preview of a message: in the chat list, a quote, a search result, and for screen readers. */
import type { Message } from '@dostar/client';
import type { Translate } from '../i18n/translator.ts';

type Shows = Message['shows'];

/** The texts of the `said` catalogue, as `useTranslation('said')` returns them. */
type SaidTranslator = Translate<'said'>;

/** An emoji names the kind of content; the text of the message follows, if it has any. */
export function previewMessage(shows: Shows, t: SaidTranslator): string {
  switch (shows.state) {
    case 'content':
      return previewContent(shows.content, t);
    case 'waiting':
      return t('waiting');
    case 'deleted':
      return t('deleted');
    case 'unknown':
      return t('unknown');
    case 'refused':
      return t('refused');
  }
}

type Content = Extract<Shows, { state: 'content' }>['content'];

function previewContent(content: Content, t: SaidTranslator): string {
  switch (content.kind) {
    case 'text':
      return content.text.replaceAll(/\s+/g, ' ');
    case 'media':
      return content.caption ?? t(mediaKind(content.media.type), { name: content.media.name });
    case 'voice':
      return t('voice', { length: formatLength(content.voice.durationMs) });
    case 'timer':
      return t('timer');
    case 'system':
      return t(`system.${content.event}`);
  }
}

/** How a file is displayed. Types that a browser would execute, or that only look like pictures, count as files. */
export function mediaKind(type: string): 'photo' | 'video' | 'file' {
  if (/^image\/(?:jpeg|png|webp|gif|avif)$/.test(type)) return 'photo';
  return /^video\/(?:mp4|webm|ogg|quicktime)$/.test(type) ? 'video' : 'file';
}

/** Minutes and seconds, such as 1:07. */
export function formatLength(ms: number): string {
  const seconds = Math.round(ms / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

/** One line that stands for a message: in the list of chats, in a quote, in a search result, for a screen reader. */
import type { Message } from '@dostar/client';
import type { Translate } from '../i18n/translator.ts';

type Shows = Message['shows'];

/** The words of the `said` catalogue, as `useTranslation('said')` gives them. */
type SaidTranslator = Translate<'said'>;

/** A small picture says what kind it is; words follow where there are any. */
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

/** What a file is shown as. Types that a browser would run or that only look like pictures are files. */
export function mediaKind(type: string): 'photo' | 'video' | 'file' {
  if (/^image\/(?:jpeg|png|webp|gif|avif)$/.test(type)) return 'photo';
  return /^video\/(?:mp4|webm|ogg|quicktime)$/.test(type) ? 'video' : 'file';
}

/** 1:07 */
export function formatLength(ms: number): string {
  const seconds = Math.round(ms / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

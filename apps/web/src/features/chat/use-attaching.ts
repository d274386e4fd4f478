/** Sends attachments from a chat and saves received ones to disk. */
import type { Client, Message } from '@dostar/client';
import type { AccountId } from '@dostar/protocol/ids';
import type { Translate } from '../../core/i18n/translator.ts';
import { useState } from 'react';
import { TooLargePicture } from '../../core/lib/require-decodable.ts';
import { showFeedback } from '../../core/lib/feedback.ts';
import type { Attachment } from './attachment.ts';
import { type Album, placeInAlbums } from './composer/place-in-albums.ts';
import { isVideoFile } from './video/is-video-file.ts';
import { startPreparation } from './video/preparations.ts';
import { fetchMedia, cacheMedia, saveMedia } from './media/media-files.ts';
import type { VoiceNote } from './media/record-voice.ts';

interface AttachingOptions {
  client: Client;
  to: AccountId;
  t: Translate<'chat'>;
  /** Called on sending, to scroll the chat to the end. */
  onSent: () => void;
}

export function useAttaching({ client, to, t, onSent }: AttachingOptions) {
  const [chosen, setChosen] = useState<readonly File[]>();

  async function sendOne(attachment: Attachment, album: Album | undefined): Promise<void> {
    const { file, caption, isUnchanged } = attachment;
    const task = isVideoFile(file) && !isUnchanged ? startPreparation(to, file.name) : undefined;
    try {
      const { prepareAttachment } = await import('./media/prepare-attachment.ts');
      const { file: source, type, about, poster } = await prepareAttachment(attachment, task);
      if (task?.signal.aborted) return;
      task?.finish();
      const content = { kind: 'media', media: about, ...(caption && { caption }), ...(album && { album }) } as const;
      const message = { to, content };
      const blob = await client.attachments.upload({ source, type, message, ...(poster && { poster }) });
      cacheMedia(blob, source, type);
    } catch (error) {
      if (task?.signal.aborted) return;
      const isOffered = task?.fail({
        kind: attachment.isSmaller ? 'original' : 'unchanged',
        accept: () => void sendOne({ ...attachment, isSmaller: false, isUnchanged: !attachment.isSmaller }, album),
      });
      if (isOffered) return;
      const reason = error instanceof TooLargePicture ? 'attach.tooManyPixels' : 'attach.failed';
      showFeedback('error', t(reason, { name: file.name }));
    }
  }

  return {
    chosen,
    choose: (files: File[]) => files.length > 0 && setChosen(files),
    forget: () => setChosen(undefined),
    async send(attachments: Attachment[]): Promise<void> {
      setChosen(undefined);
      onSent();
      const pictures = attachments.filter(({ file }) => file.type.startsWith('image/'));
      const albums = placeInAlbums(pictures.length, () => crypto.randomUUID());
      for (const attachment of attachments) await sendOne(attachment, albums[pictures.indexOf(attachment)]);
    },
    async sendVoice({ file, type, duration, waveform }: VoiceNote): Promise<void> {
      onSent();
      const voice = { durationMs: Math.max(1, Math.round(duration * 1000)), waveform };
      const content = { kind: 'voice', voice } as const;
      try {
        cacheMedia(await client.attachments.upload({ source: file, type, message: { to, content } }), file, type);
      } catch {
        showFeedback('error', t('attach.voiceFailed'));
      }
    },
    /** Downloads the file of a message into the browser's download folder. */
    async save({ shows }: Message): Promise<void> {
      if (shows.state !== 'content' || (shows.content.kind !== 'media' && shows.content.kind !== 'voice')) return;
      const { content } = shows;
      const reference = content.kind === 'media' ? content.media : content.voice;
      const name = content.kind === 'media' ? content.media.name : 'voice';
      try {
        const { url } = await fetchMedia(client, reference, { signal: new AbortController().signal });
        saveMedia(url, name);
      } catch {
        showFeedback('error', t('media.failed'));
      }
    },
  };
}

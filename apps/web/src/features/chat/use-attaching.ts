/** Files on their way out of a chat, and into the person's own folder. */
import type { Client, FileMessage, Message, UploadWish } from '@dostar/client';
import type { AccountId } from '@dostar/protocol/ids';
import type { TFunction } from 'i18next';
import { useState } from 'react';
import { showFeedback } from '../../core/feedback.ts';
import { mediaKind } from '../../core/preview-message.ts';
import type { Attachment } from './composer/attach-dialog.tsx';
import { type Album, placeInAlbums } from './composer/place-in-albums.ts';
import { fetchMedia, keepMedia, saveMedia } from './media/media-files.ts';
import { prepareImage } from './media/prepare-image.ts';
import { prepareVideo } from './media/prepare-video.ts';
import type { VoiceNote } from './media/record-voice.ts';

interface AttachingOptions {
  client: Client;
  to: AccountId;
  t: TFunction<'chat'>;
  /** Something is on its way: whoever sends wants to see it. */
  onSent: () => void;
}

interface Prepared {
  file: Blob;
  type: string;
  about: Extract<FileMessage, { kind: 'media' }>['media'];
  poster?: UploadWish['poster'];
}

export function useAttaching({ client, to, t, onSent }: AttachingOptions) {
  const [chosen, setChosen] = useState<readonly File[]>();

  async function sendOne({ file, caption, isOriginalSize }: Attachment, album: Album | undefined): Promise<void> {
    try {
      const { file: source, type, about, poster } = await prepare(file, isOriginalSize);
      const content = { kind: 'media', media: about, ...(caption && { caption }), ...(album && { album }) } as const;
      const blob = await client.attachments.upload({
        source,
        type,
        message: { to, content },
        ...(poster && { poster }),
      });
      keepMedia(blob, source, type);
    } catch {
      showFeedback('error', t('attach.failed', { name: file.name }));
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
        keepMedia(await client.attachments.upload({ source: file, type, message: { to, content } }), file, type);
      } catch {
        showFeedback('error', t('attach.voiceFailed'));
      }
    },
    /** Into the folder where the browser puts what it is asked to keep. */
    async save({ shows }: Message): Promise<void> {
      if (shows.state !== 'content' || (shows.content.kind !== 'media' && shows.content.kind !== 'voice')) return;
      const { content } = shows;
      const reference = content.kind === 'media' ? content.media : content.voice;
      const name = content.kind === 'media' ? content.media.name : 'voice';
      try {
        const url = await fetchMedia(client, reference, { signal: new AbortController().signal });
        saveMedia(url, name);
      } catch {
        showFeedback('error', t('media.failed'));
      }
    },
  };
}

async function prepare(file: File, isOriginalSize: boolean): Promise<Prepared> {
  const { name } = file;
  if (mediaKind(file.type) === 'photo' || /^image\/hei[cf]|\.hei[cf]$/i.test(file.type || name)) {
    const { file: picture, type, ...about } = await prepareImage(file, isOriginalSize);
    return { file: picture, type, about: { name: renamed(name, type), ...about } };
  }
  const film = mediaKind(file.type) === 'video' ? await prepareVideo(file) : undefined;
  if (film === undefined) return { file, type: file.type || 'application/octet-stream', about: { name } };
  const { width, height, duration, blurhash, poster } = film;
  return {
    file,
    type: file.type,
    about: { name, width, height, blurhash, durationMs: Math.round(duration * 1000) },
    poster,
  };
}

/** A photo that became a JPEG is called one, or the other side could not open what it saves. */
function renamed(name: string, type: string): string {
  return type === 'image/jpeg' ? name.replace(/\.(?:hei[cf]|webp|avif|bmp|tiff?)$/i, '.jpg') : name;
}

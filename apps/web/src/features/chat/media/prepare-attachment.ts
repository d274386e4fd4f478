/** What was chosen, ready to be uploaded: photos and films without what is hidden in them, all else as it is. */
import type { FileMessage, UploadRequest } from '@dostar/client';
import type { Attachment } from '../attachment.ts';
import { prepareVideoFile } from '../video/video-tasks.ts';
import type { PreparationTask } from '../video/preparations.ts';
import { isPhoto } from './is-photo.ts';
import { prepareImage } from './prepare-image.ts';
import { prepareVideo } from './prepare-video.ts';

interface Prepared {
  file: Blob;
  type: string;
  about: Extract<FileMessage, { kind: 'media' }>['media'];
  poster?: UploadRequest['poster'];
}

/** With a task for films that are to be cleaned. Rejects if that can't be done. */
export async function prepareAttachment(attachment: Attachment, task: PreparationTask | undefined): Promise<Prepared> {
  const { file, isOriginalSize, isUnchanged } = attachment;
  if (task !== undefined) return prepareCleanVideo(attachment, task);
  if (isPhoto(file)) {
    const { file: picture, type, ...about } = await prepareImage(file, isOriginalSize);
    return { file: picture, type, about: { name: nameAs(type, file.name), ...about } };
  }
  // A film that is sent as a file is shown as one.
  const type = isUnchanged || file.type === '' ? 'application/octet-stream' : file.type;
  return { file, type, about: { name: file.name } };
}

async function prepareCleanVideo({ file: source, isSmaller }: Attachment, task: PreparationTask): Promise<Prepared> {
  const { file, type, duration, ...size } = await prepareVideoFile(source, isSmaller, task);
  // A browser that can't play the film has no picture of it.
  const seen = await prepareVideo(file);
  const about = {
    name: nameAs(type, source.name),
    ...size,
    durationMs: Math.round(duration * 1000),
    ...(seen && { blurhash: seen.blurhash }),
  };
  return { file, type, about, ...(seen && { poster: seen.poster }) };
}

const endings: Record<string, { old: RegExp; now: string }> = {
  'image/jpeg': { old: /\.(?:hei[cf]|webp|avif|bmp|tiff?)$/i, now: '.jpg' },
  'video/mp4': { old: /\.(?:mov|qt|m4v|mkv|webm|3gp|3g2)$/i, now: '.mp4' },
  'video/webm': { old: /\.(?:mov|qt|m4v|mkv|mp4|3gp|3g2)$/i, now: '.webm' },
};

/** A file of another type is named after it, or the recipient could not open what they save. */
function nameAs(type: string, name: string): string {
  const ending = endings[type];
  return ending ? name.replace(ending.old, ending.now) : name;
}

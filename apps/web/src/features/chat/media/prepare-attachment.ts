/** Prepares chosen files for upload: removes the metadata of photos and videos, keeps other files unchanged. */
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

/** `task` is set for videos whose metadata must be removed. Rejects if that fails. */
export async function prepareAttachment(attachment: Attachment, task: PreparationTask | undefined): Promise<Prepared> {
  const { file, isOriginalSize, isUnchanged } = attachment;
  if (task !== undefined) return prepareCleanVideo(attachment, task);
  if (isPhoto(file)) {
    const { file: picture, type, ...about } = await prepareImage(file, isOriginalSize);
    return { file: picture, type, about: { name: nameAs(type, file.name), ...about } };
  }
  // A video that is sent as a file must not be shown as a video.
  const type = isUnchanged || file.type === '' ? 'application/octet-stream' : file.type;
  return { file, type, about: { name: file.name } };
}

async function prepareCleanVideo({ file: source, isSmaller }: Attachment, task: PreparationTask): Promise<Prepared> {
  const { file, type, duration, ...size } = await prepareVideoFile(source, isSmaller, task);
  // No poster if the browser cannot play the video.
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

/** Changes the extension to match a new type, so that the recipient can open the saved file. */
function nameAs(type: string, name: string): string {
  const ending = endings[type];
  return ending ? name.replace(ending.old, ending.now) : name;
}

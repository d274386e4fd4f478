/** Uploads a picture to the Appwrite-compatible API, reads it or its preview, and deletes it. */
import type { ServiceClient } from '../../core/appwrite/service-client.ts';
import { readServiceSettings } from '../../core/appwrite/service-settings.ts';
import { type Check, type CheckContext, type Outcome, passIf } from './check.ts';

const small = { width: 32, height: 24 };
const large = { width: 128, height: 96 };

type Look = (storage: ServiceClient['storage'], named: { bucketId: string; fileId: string }) => Promise<Outcome>;

/** Uploads a picture for `look` and deletes it afterwards. Skips the check without an account or a configured API. */
async function withPicture({ isSignedIn }: CheckContext, look: Look): Promise<Outcome> {
  const settings = readServiceSettings();
  if (settings === undefined) return { state: 'off' };
  if (!isSignedIn) return { state: 'signIn' };
  const { openService, PICTURES, uploadFile } = await import('../../core/appwrite/service-client.ts');
  const { storage } = openService(settings);
  const { $id: fileId } = await uploadFile({ storage }, await drawFile());
  const named = { bucketId: PICTURES, fileId };
  try {
    return await look(storage, named);
  } finally {
    await storage.deleteFile(named);
  }
}

async function drawFile(): Promise<File> {
  const canvas = new OffscreenCanvas(large.width, large.height);
  canvas.getContext('2d')?.fillRect(0, 0, small.width, small.height);
  return new File([await canvas.convertToBlob()], 'check.png', { type: 'image/png' });
}

export const serviceChecks: readonly Check[] = [
  {
    id: 'upload',
    run: (place) =>
      withPicture(place, async (storage, named) => {
        const reply = await fetch(storage.getFileView(named));
        const { width } = await createImageBitmap(await reply.blob());
        return passIf(width === large.width, `${reply.status}`);
      }),
  },
  {
    id: 'preview',
    run: (place) =>
      withPicture(place, async (storage, named) => {
        const image = new Image();
        image.src = storage.getFilePreview({ ...named, ...small });
        await image.decode();
        return passIf(image.naturalWidth === small.width, `${image.naturalWidth}x${image.naturalHeight}`);
      }),
  },
];

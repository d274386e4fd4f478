import { type Check, passIf } from './check.ts';
import { serviceChecks } from './service-checks.ts';
import { writeAndRead } from './try-database.ts';

const megabyte = 1024 * 1024;
/** Estimated size of a family's messages of one year, without videos. */
const enoughSpace = 200 * megabyte;

async function askToKeep(): Promise<boolean> {
  return await navigator.storage.persist();
}

export const storageChecks: readonly Check[] = [
  {
    id: 'space',
    async run() {
      const { quota = 0, usage = 0 } = await navigator.storage.estimate();
      return passIf(quota - usage > enoughSpace, `${Math.round((quota - usage) / megabyte)} MB`);
    },
  },
  {
    id: 'keep',
    async run() {
      return (await navigator.storage.persisted()) ? { state: 'pass' } : { state: 'ask' };
    },
    press: async () => passIf(await askToKeep()),
  },
  {
    id: 'write',
    async run() {
      const bytes = new Uint8Array(megabyte).fill(7);
      const started = performance.now();
      const back = await writeAndRead('dostar-check-write', bytes);
      const durationMs = Math.round(performance.now() - started);
      return { ...passIf(back.length === megabyte && back.every((value) => value === 7)), durationMs };
    },
  },
  {
    id: 'cache',
    async run() {
      const cache = await caches.open('dostar-check');
      await cache.put('/check', new Response('kept'));
      const back = await cache.match('/check');
      const text = await back?.text();
      await caches.delete('dostar-check');
      return passIf(text === 'kept');
    },
  },
  {
    id: 'files',
    async run() {
      const folder = await navigator.storage.getDirectory();
      const handle = await folder.getFileHandle('dostar-check', { create: true });
      const writer = await handle.createWritable();
      await writer.write('kept');
      await writer.close();
      const file = await handle.getFile();
      const text = await file.text();
      await folder.removeEntry('dostar-check');
      return passIf(text === 'kept');
    },
  },
  {
    id: 'picture',
    async run() {
      const large = new OffscreenCanvas(640, 480);
      large.getContext('2d')?.fillRect(0, 0, 320, 480);
      const small = await createImageBitmap(await large.convertToBlob(), { resizeWidth: 64, resizeHeight: 48 });
      return passIf(small.width === 64, `${small.width}x${small.height}`);
    },
  },
  ...serviceChecks,
];

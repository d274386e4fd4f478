import { ID, ImageFormat, ImageGravity } from 'appwrite';
import sharp from 'sharp';
import { expect, refused, same } from './fixture.ts';
import type { Assertion, Person, Fixture } from './fixture.ts';

const bucketId = 'files';
const ARGUMENT = 'general_argument_invalid';

async function upload({ storage }: Person, bytes: Uint8Array<ArrayBuffer>, name: string): Promise<string> {
  const file = await storage.createFile({ bucketId, fileId: ID.unique(), file: new File([bytes], name) });
  return file.$id;
}

interface Preview {
  fileId: string;
  width?: number;
  height?: number;
  gravity?: ImageGravity;
  rotation?: number;
  output?: ImageFormat;
}

/** The package only builds the URL; a browser would load it. */
async function look({ alice }: Fixture, input: Preview) {
  const url = alice.storage.getFilePreview({ bucketId, ...input });
  const reply = await fetch(url, { headers: { 'x-appwrite-session': alice.secret } });
  const bytes = Buffer.from(await reply.arrayBuffer());
  return { status: reply.status, headers: reply.headers, bytes };
}

async function measure(bytes: Buffer): Promise<unknown> {
  const { width, height, format } = await sharp(bytes).metadata();
  return [width, height, format];
}

export const PREVIEWS: Assertion[] = [
  {
    number: 67,
    async run(fixture) {
      const photo = sharp({ create: { width: 400, height: 200, channels: 3, background: '#884422' } });
      const fileId = await upload(fixture.alice, new Uint8Array(await photo.png().toBuffer()), 'photo.png');
      const first = await look(fixture, { fileId, width: 100 });
      same([first.status, first.headers.get('content-type')], [200, 'image/png'], 'an image');
      same(first.headers.get('cache-control'), 'private, max-age=2592000', 'caching');
      same((await look(fixture, { fileId, width: 100 })).headers.get('x-appwrite-cache'), 'hit', 'the second time');
      same(await measure(first.bytes), [100, 50, 'png'], 'width only');
      same(await measure((await look(fixture, { fileId, height: 100 })).bytes), [200, 100, 'png'], 'height only');
      for (const gravity of Object.values(ImageGravity)) {
        const both = await look(fixture, { fileId, width: 60, height: 60, gravity });
        same(await measure(both.bytes), [60, 60, 'png'], `both, ${gravity}`);
      }
      expect(Object.values<string>(ImageGravity).includes('auto'), 'auto is one of them');
      for (const output of Object.values(ImageFormat)) {
        const { status, headers } = await look(fixture, { fileId, width: 50, output });
        const type = output === ImageFormat.Jpg ? 'image/jpeg' : `image/${output}`;
        // The machine may lack the tool that writes HEIC.
        const isMissing = output === ImageFormat.Heic && status === 400;
        expect(
          isMissing || headers.get('content-type') === type,
          `${output}: ${status} ${headers.get('content-type')}`,
        );
      }
      same(
        await measure((await look(fixture, { fileId, width: 100, rotation: 90 })).bytes),
        [50, 100, 'png'],
        'rotation',
      );
      const text = await upload(fixture.alice, new TextEncoder().encode('words'), 'words.txt');
      same((await look(fixture, { fileId: text })).headers.get('content-type'), 'image/jpeg', 'an icon');
      const asked = (input: object) => () => askWrong(fixture, fileId, input);
      await refused(asked({ width: 4001 }), 400, ARGUMENT);
      await refused(asked({ output: 'bmp' }), 400, ARGUMENT);
    },
  },
];

async function askWrong({ alice, endpoint }: Fixture, fileId: string, input: object): Promise<unknown> {
  const uri = new URL(`${endpoint}/storage/buckets/${bucketId}/files/${fileId}/preview`);
  return alice.client.call('get', uri, { 'X-Appwrite-Project': alice.client.config.project }, input);
}

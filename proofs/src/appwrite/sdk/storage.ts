import { createHash, randomBytes } from 'node:crypto';
import { ID, Permission, Query, Role } from 'appwrite';
import { expect, raw, refused, same } from './fixture.ts';
import type { Assertion, Person } from './fixture.ts';

const CHUNK = 5_242_880;
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const md5 = (bytes: Uint8Array): string => createHash('md5').update(bytes).digest('hex');

/** A PNG signature followed by random bytes. */
function makePng(size: number): Buffer<ArrayBuffer> {
  return Buffer.concat([PNG, randomBytes(size - PNG.length)]);
}

function fileOf(bytes: Uint8Array<ArrayBuffer>, name = 'picture.png', type = 'image/png'): File {
  return new File([bytes], name, { type });
}

async function upload(person: Person, bytes: Uint8Array<ArrayBuffer>, name?: string, permissions?: string[]) {
  const file = fileOf(bytes, name);
  return person.storage.createFile({
    bucketId: 'files',
    fileId: ID.unique(),
    file,
    ...(permissions && { permissions }),
  });
}

async function fetchAs(
  person: Person | undefined,
  url: string,
  headers: Record<string, string> = {},
): Promise<Response> {
  return fetch(url, { headers: { ...headers, ...(person && { 'x-appwrite-session': person.secret }) } });
}

async function requireSameBytes(person: Person, fileId: string, bytes: Uint8Array): Promise<void> {
  const reply = await fetchAs(person, person.storage.getFileDownload({ bucketId: 'files', fileId }));
  expect(Buffer.from(await reply.arrayBuffer()).equals(bytes), 'the download is byte-identical');
}

export const STORAGE: Assertion[] = [
  {
    number: 57,
    async run({ alice, last }) {
      const file = await upload(alice, new Uint8Array(PNG), 'hé "llo".png');
      same(last().status, 201, 'status');
      same([file.name, file.mimeType, file.sizeOriginal], ['hé "llo".png', 'image/png', PNG.length], 'what it is');
      same([file.signature, file.chunksTotal, file.chunksUploaded], [md5(PNG), 1, 1], 'signature and counters');
      const own = Role.user(alice.user.$id);
      same(file.$permissions, [Permission.read(own), Permission.update(own), Permission.delete(own)], 'permissions');
      const lied = await alice.storage.createFile({
        bucketId: 'files',
        fileId: ID.unique(),
        file: fileOf(new Uint8Array(PNG), 'a.bin', 'text/html'),
      });
      same(lied.mimeType, 'image/png', 'by content');
    },
  },
  {
    number: 58,
    async run({ alice, made }) {
      const bytes = makePng(12 * 1024 * 1024);
      const before = made();
      const progress: { id: string; percent: number }[] = [];
      const file = await alice.storage.createFile({
        bucketId: 'files',
        fileId: ID.unique(),
        file: fileOf(bytes),
        onProgress: (step) => progress.push({ id: step.$id, percent: step.progress }),
      });
      same(made() - before, 3, 'requests');
      same([file.chunksTotal, file.chunksUploaded], [3, 3], 'counters');
      same([file.mimeType, file.signature], ['image/png', md5(bytes)], 'kind and signature');
      same([progress.length, progress.at(-1)?.percent], [3, 100], 'progress');
      expect(
        progress.every(({ id }) => id === file.$id),
        'progress names the file',
      );
      await requireSameBytes(alice, file.$id, bytes);
    },
  },
  {
    number: 59,
    async run({ alice, made }) {
      for (const [more, requests] of [
        [0, 1],
        [1, 2],
      ] as const) {
        const before = made();
        const bytes = makePng(CHUNK + more);
        const file = await upload(alice, bytes);
        same([made() - before, file.chunksTotal, file.chunksUploaded], [requests, requests, requests], 'chunks');
        await requireSameBytes(alice, file.$id, bytes);
      }
      const empty = await upload(alice, new Uint8Array(0), 'empty.txt');
      same([empty.sizeOriginal, empty.chunksUploaded], [0, 1], 'an empty file');
    },
  },
  {
    number: 60,
    async run({ alice }) {
      const bytes = makePng(52 * 1024 * 1024);
      const file = await upload(alice, bytes);
      same([file.chunksTotal, file.chunksUploaded, file.signature], [11, 11, md5(bytes)], 'complete');
      await requireSameBytes(alice, file.$id, bytes);
    },
  },
  {
    number: 61,
    async run({ alice, guest }) {
      const bytes = new Uint8Array(PNG);
      const { $id: fileId } = await upload(alice, bytes);
      const create = (
        bucketId: string,
        name: string,
        id = ID.unique(),
        { storage } = alice as Pick<Person, 'storage'>,
      ) => storage.createFile({ bucketId, fileId: id, file: fileOf(bytes, name) });
      await refused(() => create('files', 'a.png', fileId), 409, 'storage_file_already_exists');
      await refused(() => create('nope', 'a.png'), 404, 'storage_bucket_not_found');
      await refused(() => create('files', 'a.png', undefined, guest), 401, 'user_unauthorized');
      await refused(() => create('tiny', 'a.txt'), 400, 'storage_invalid_file_size');
      const small = fileOf(new Uint8Array(3), 'a.exe');
      const other = () => alice.storage.createFile({ bucketId: 'tiny', fileId: ID.unique(), file: small });
      await refused(other, 400, 'storage_file_type_unsupported');
    },
  },
  {
    number: 62,
    async run(fixture) {
      const send = async (headers: Record<string, string>): Promise<unknown> => {
        const body = new FormData();
        body.set('fileId', ID.unique());
        body.set('file', fileOf(new Uint8Array(PNG)));
        const reply = await raw(
          fixture,
          '/storage/buckets/files/files',
          { method: 'POST', headers, body },
          fixture.alice,
        );
        return [reply.status, ((await reply.json()) as { type?: string }).type];
      };
      for (const range of ['bytes 9-0/10', 'bytes 0-99/10', 'x', 'bytes 0-9/*', 'bytes 7-8/200']) {
        same(await send({ 'content-range': range }), [400, 'storage_invalid_content_range'], range);
      }
      same(await send({ 'x-appwrite-id': 'unique()' }), [400, 'storage_invalid_appwrite_id'], 'unique()');
    },
  },
  {
    number: 63,
    async run({ alice }) {
      const { storage } = alice;
      const bucketId = 'files';
      const { $id: fileId } = await upload(alice, new Uint8Array(PNG), 'kitten.png');
      same((await storage.getFile({ bucketId, fileId })).name, 'kitten.png', 'name');
      const permissions = [Permission.read(Role.any()), Permission.write(Role.user(alice.user.$id))];
      const changed = await storage.updateFile({ bucketId, fileId, name: 'cat.png', permissions });
      const own = `user:${alice.user.$id}`;
      same(changed.$permissions, ['read("any")', `update("${own}")`, `delete("${own}")`], 'permissions');
      const found = await storage.listFiles({ bucketId, search: 'cat' });
      same([found.total, found.files[0]?.$id], [1, fileId], 'by search');
      const asked = await storage.listFiles({
        bucketId,
        queries: [Query.equal('name', 'cat.png'), Query.equal('mimeType', 'image/png'), Query.limit(1)],
      });
      same([asked.total, asked.files[0]?.$id], [1, fileId], 'by query');
      await refused(() => storage.getFile({ bucketId, fileId: 'nope' }), 404, 'storage_file_not_found');
      const bad = () => storage.listFiles({ bucketId, queries: [Query.equal('nope', 'x')] });
      await refused(bad, 400, 'general_argument_invalid');
    },
  },
  {
    number: 64,
    async run({ alice, bob }) {
      const { $id: fileId } = await upload(alice, new Uint8Array(PNG), 'private.png');
      const one = { bucketId: 'files', fileId };
      await refused(() => bob.storage.getFile(one), 404, 'storage_file_not_found');
      same((await fetchAs(bob, bob.storage.getFileView(one))).status, 404, 'view');
      await refused(() => bob.storage.updateFile({ ...one, name: 'b' }), 401, 'user_unauthorized');
      await refused(() => bob.storage.deleteFile(one), 401, 'user_unauthorized');
      const seen = await bob.storage.listFiles({ bucketId: 'files', search: 'private.png' });
      same(seen.total, 0, 'what Bob sees of it');
      await refused(
        () => bob.storage.updateFile({ ...one, permissions: ['read("user:bob")'] }),
        401,
        'user_unauthorized',
      );
    },
  },
  {
    number: 65,
    async run({ alice }) {
      const { $id: fileId } = await upload(alice, new Uint8Array(PNG), 'hé.png');
      const one = { bucketId: 'files', fileId };
      const download = await fetchAs(alice, alice.storage.getFileDownload(one));
      const view = await fetchAs(alice, alice.storage.getFileView(one));
      const dispositions = [download, view].map((reply) => reply.headers.get('content-disposition'));
      expect(dispositions[0]?.startsWith('attachment; filename="h_.png"'), `download: ${dispositions[0]}`);
      expect(
        dispositions[1]?.startsWith('inline') && dispositions[1].includes('h%C3%A9.png'),
        `view: ${dispositions[1]}`,
      );
      same(view.headers.get('content-type'), 'image/png', 'type');
      same(view.headers.get('x-content-type-options'), 'nosniff', 'nosniff');
      same(download.headers.get('cache-control'), 'private, max-age=3888000', 'caching');
      const page = Buffer.from('<html><script>alert(1)</script></html>');
      const { $id } = await upload(alice, new Uint8Array(page), 'page.html');
      const shown = await fetchAs(alice, alice.storage.getFileView({ bucketId: 'files', fileId: $id }));
      expect(shown.headers.get('content-disposition')?.startsWith('attachment'), 'a page is saved, not shown');
      expect(shown.headers.get('content-security-policy')?.startsWith('sandbox'), 'and runs nothing');
    },
  },
  {
    number: 66,
    async run({ alice }) {
      const bytes = makePng(100_000);
      const { $id: fileId } = await upload(alice, bytes);
      const url = alice.storage.getFileDownload({ bucketId: 'files', fileId });
      const reply = await fetchAs(alice, url, { range: 'bytes=10-19' });
      same([reply.status, reply.headers.get('content-range')], [206, 'bytes 10-19/100000'], 'range');
      expect(Buffer.from(await reply.arrayBuffer()).equals(bytes.subarray(10, 20)), 'bytes');
      const beyond = await fetchAs(alice, url, { range: 'bytes=100000-100009' });
      same([beyond.status, ((await beyond.json()) as { type: string }).type], [416, 'storage_invalid_range'], 'beyond');
      const end = await fetchAs(alice, url, { range: 'bytes=-5' });
      expect(Buffer.from(await end.arrayBuffer()).equals(bytes.subarray(-5)), 'the last five');
    },
  },
  {
    number: 68,
    async run({ alice, last }) {
      const { $id: fileId } = await upload(alice, new Uint8Array(PNG));
      const one = { bucketId: 'files', fileId };
      same(await alice.storage.deleteFile(one), { message: '' }, 'result');
      same(last().status, 204, 'status');
      await refused(() => alice.storage.getFile(one), 404, 'storage_file_not_found');
      await refused(() => alice.storage.deleteFile(one), 404, 'storage_file_not_found');
    },
  },
];

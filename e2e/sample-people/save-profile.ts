import { createHash, randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createProfileApi } from '@dostar/client/profile';
import type { Browser as HttpBrowser } from '@dostar/client/testing/http-browser';
import { BLOB_HEADER, BlobId, CHUNK_HEADER, CHUNK_ROUTE, HASH_HEADER } from '@dostar/protocol/contract/blobs';
import { ANY_ACCOUNT, CALL_HEADER } from '@dostar/protocol/contract/endpoint';
import type { SamplePerson } from './script.ts';

/** Username, name and photo, visible to every signed-in user. */
export async function saveProfile(http: HttpBrowser, { username, name, lastName, photo }: SamplePerson): Promise<void> {
  const profile = createProfileApi(http.deps);
  await profile.changeUsername(username);
  const picture = photo === undefined ? null : await uploadPhoto(http, photo);
  const value = { name, lastName, picture };
  await profile.save({ group: 'personal', revision: 0, audience: 'everybody', value });
}

async function uploadPhoto(http: HttpBrowser, file: string): Promise<BlobId> {
  const bytes = await readFile(join(import.meta.dirname, 'media', file));
  const id = BlobId.parse(randomUUID());
  const profile = createProfileApi(http.deps);
  await profile.beginPicture(id, bytes.length);
  const reply = await http.fetch(new URL(CHUNK_ROUTE.path, http.deps.baseUrl), {
    method: CHUNK_ROUTE.method,
    headers: {
      [CALL_HEADER]: ANY_ACCOUNT,
      [BLOB_HEADER]: id,
      [CHUNK_HEADER]: '0',
      [HASH_HEADER]: createHash('sha256').update(bytes).digest('base64url'),
      'content-type': 'application/octet-stream',
    },
    body: new Uint8Array(bytes),
  });
  if (!reply.ok) throw new Error(`${file} is not uploaded: ${reply.status}`);
  await profile.finishPicture(id);
  return id;
}

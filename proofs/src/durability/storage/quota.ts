/** A quota is exact for a single upload, and for many that compete for its last bytes. */
import type { Report } from '../../harness/lib/report.ts';
import { call, FILES } from './uploaders.ts';
import type { ServerEndpoints, Uploader } from './uploaders.ts';

const PIECE = 1024 * 1024;

export async function checkQuota(
  report: Report,
  endpoints: ServerEndpoints,
  person: Uploader,
  quota: number,
): Promise<void> {
  const fits = Math.floor(quota / PIECE);
  const outcomes = await Promise.all(
    Array.from({ length: fits + 6 }, (_, n) => put(endpoints, person, `quota${n}`, PIECE)),
  );
  const taken = outcomes.filter((said) => said === 'taken').length;
  report.check('as many files are accepted as fit into the quota', taken === fits, () => `${taken} instead of ${fits}`);
  const isToldWhy = outcomes.every((said) => said === 'taken' || said === 'storage_quota_exceeded');
  report.check('the others are refused with storage_quota_exceeded', isToldWhy, () => outcomes.join(', '));
  const left = quota - fits * PIECE;
  report.check('the last free bytes can be used', (await put(endpoints, person, 'rest', left)) === 'taken');
  const more = await put(endpoints, person, 'more', 1);
  report.check('one byte more is refused', more === 'storage_quota_exceeded', () => more);
  await call(endpoints, `${FILES}/${nameOf(person, 'rest')}`, () => ({ method: 'DELETE' }), person);
  report.check(
    'the bytes of a deleted file can be used again',
    (await put(endpoints, person, 'again', left)) === 'taken',
  );
}

/** File ids are unique in the whole bucket, so the user's id becomes part of them. */
function nameOf({ id: person }: Uploader, id: string): string {
  return `${id}-${person}`;
}

async function put(endpoints: ServerEndpoints, person: Uploader, id: string, size: number): Promise<string> {
  const form = (): RequestInit => {
    const body = new FormData();
    body.set('fileId', nameOf(person, id));
    body.set('file', new File([new Uint8Array(size)], 'room.bin'));
    return { method: 'POST', body };
  };
  const { status, bytes } = await call(endpoints, FILES, form, person);
  return status === 201 ? 'taken' : (JSON.parse(bytes.toString()) as { type: string }).type;
}

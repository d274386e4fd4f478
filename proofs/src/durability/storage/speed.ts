/** Stored previews per second, compared with files of the same size in the same run. */
import type { Report } from '../../harness/lib/report.ts';
import { call, FILES } from './uploaders.ts';
import type { ServerEndpoints, Uploader } from './uploaders.ts';

const AT_ONCE = 8;

export async function measureKept(
  report: Report,
  endpoints: ServerEndpoints,
  {
    person,
    photo,
    seconds,
    isJudged,
  }: { person: Uploader; photo: Uint8Array<ArrayBuffer>; seconds: number; isJudged: boolean },
): Promise<void> {
  await put(endpoints, person, 'photo', new File([photo], 'photo.jpg'));
  const preview = `${FILES}/photo/preview?project=proof&width=200&output=webp`;
  await call(endpoints, preview, () => ({}), person);
  const { headers, bytes } = await call(endpoints, preview, () => ({}), person);
  report.check('the second preview comes from the store', headers.get('x-appwrite-cache') === 'hit');
  await put(endpoints, person, 'plain', new File([new Uint8Array(bytes)], 'plain.webp'));
  const view = `${FILES}/plain/view?project=proof`;
  const rates = { kept: 0, plain: 0 };
  // Alternates between both, so that they are measured under the same load.
  for (let turn = 0; turn < 4; turn += 1) {
    rates.plain += (await rate(endpoints, person, view, seconds / 4)) / 4;
    rates.kept += (await rate(endpoints, person, preview, seconds / 4)) / 4;
  }
  report.figure('files a second', rates.plain);
  report.figure('stored previews a second', rates.kept);
  report.ratio('stored previews / files', rates.kept / rates.plain, isJudged ? { atLeast: 0.5 } : undefined);
}

async function put(endpoints: ServerEndpoints, person: Uploader, id: string, file: File): Promise<void> {
  const form = (): RequestInit => {
    const body = new FormData();
    body.set('fileId', id);
    body.set('file', file);
    return { method: 'POST', body };
  };
  await call(endpoints, FILES, form, person);
}

async function rate(endpoints: ServerEndpoints, person: Uploader, path: string, seconds: number): Promise<number> {
  const end = performance.now() + seconds * 1000;
  let answered = 0;
  const ask = async (): Promise<void> => {
    while (performance.now() < end) {
      await call(endpoints, path, () => ({}), person);
      answered += 1;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, ask));
  return answered / seconds;
}

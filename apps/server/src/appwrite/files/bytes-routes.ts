/** Downloads of files of `/v1`, by programs and by browsers. */
import { Readable } from 'node:stream';
import type { BlobId } from '@dostar/protocol/contract/blobs';
import type { Context } from '../../context.ts';
import type { RateLimit } from '../../platform/concurrency/rate-limits.ts';
import type { AppwriteCall, AppwriteHttp } from '../http.ts';
import { readBytes } from '../../features/messaging/attachments/service.ts';
import { readRange } from './content-range.ts';
import { describeName, HARMLESS } from './headers.ts';
import { OpenQuery, requireOpenable } from './openable.ts';
import { isShown } from './detect-mime-type.ts';
import type { FileRow } from './store.ts';

const FILE = '/storage/buckets/:bucket/files/:file';
const READS: RateLimit = { name: 'v1-file-bytes', points: 1200, perSeconds: 60, scope: 'process' };
const CACHE = 'private, max-age=3888000';

const DOCS = {
  download: { summary: 'Downloads a file', sdk: 'storage.getFileDownload' },
  view: { summary: 'Shows a file in the browser', sdk: 'storage.getFileView' },
};

export function fileBytesRoutes(http: AppwriteHttp, ctx: Context): void {
  for (const kind of ['download', 'view'] as const) {
    http.add({
      method: 'GET',
      paths: [`${FILE}/${kind}`],
      auth: 'guest',
      docs: {
        ...DOCS[kind],
        query: OpenQuery,
        reply: 'bytes',
        errors: ['storage_bucket_not_found', 'storage_file_not_found', 'user_unauthorized', 'storage_invalid_range'],
      },
      limit: READS,
      isOpened: true,
      async handle(call) {
        const file = await requireOpenable(ctx, call);
        return sendBytes(ctx, call, file, kind === 'view' && isShown(file.mime_type));
      },
    });
  }
}

async function sendBytes(
  ctx: Context,
  { request, reply }: AppwriteCall,
  file: FileRow,
  isInline: boolean,
): Promise<unknown> {
  const range = readRange(request.headers.range, file.size);
  const { from, to } = range ?? { from: 0, to: file.size - 1 };
  void reply.headers({
    ...HARMLESS,
    'content-type': isInline || isShown(file.mime_type) ? file.mime_type : 'application/octet-stream',
    'content-disposition': `${isInline ? 'inline' : 'attachment'}; ${describeName(file.name)}`,
    'cache-control': CACHE,
    'accept-ranges': 'bytes',
    'content-length': to - from + 1,
  });
  if (range) void reply.code(206).header('content-range', `bytes ${from}-${to}/${file.size}`);
  return reply.send(Readable.from(readBytes(ctx, file.blob as BlobId, from, to)));
}

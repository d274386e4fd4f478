/** Files of `/v1` as pictures of a requested size and format. */
import { Readable } from 'node:stream';
import type { Context } from '../../context.ts';
import type { RateLimit } from '../../platform/concurrency/rate-limits.ts';
import { OUTPUTS } from '../../platform/pictures/transform.ts';
import { AppwriteError } from '../errors.ts';
import type { AppwriteCall, AppwriteHttp } from '../http.ts';
import { describeName, HARMLESS } from './headers.ts';
import { OpenQuery, requireOpenable } from './openable.ts';
import { PreviewQuery, readTransform } from './preview-transform.ts';
import { openPreview } from './previews.ts';
import { requireBucket } from './service.ts';

const READS: RateLimit = { name: 'v1-file-previews', points: 1_200, perSeconds: 60, scope: 'process' };
/** A stored preview costs little; drawing one costs a process. */
const DRAWINGS: RateLimit = { name: 'v1-file-drawings', points: 120, perSeconds: 60, scope: 'process' };
const FRESH = 'private, max-age=2592000';
const KEPT = 'private, max-age=15552000';

export function previewRoutes(http: AppwriteHttp, ctx: Context): void {
  http.add({
    method: 'GET',
    paths: ['/storage/buckets/:bucket/files/:file/preview'],
    auth: 'guest',
    docs: {
      summary: 'Returns a picture of a file',
      sdk: 'storage.getFilePreview',
      query: OpenQuery.extend(PreviewQuery.shape),
      reply: 'bytes',
      errors: [
        'storage_bucket_not_found',
        'storage_file_not_found',
        'user_unauthorized',
        'storage_bucket_transformations_disabled',
        'storage_image_resolution_exceeded',
        'storage_file_type_unsupported',
      ],
    },
    limit: READS,
    isOpened: true,
    async handle(call) {
      const { params, query, reply } = call;
      const bucket = requireBucket(ctx, params['bucket'] ?? '');
      if (!bucket.transformations) throw new AppwriteError('storage_bucket_transformations_disabled');
      const file = await requireOpenable(ctx, call);
      const transform = readTransform(query, file);
      const { size, bytes, isKept } = await openPreview(ctx, file, transform, () => admit(call));
      // The bytes of an id never change; with a token in the URL, neither do the permissions.
      const isLasting = query.has('token');
      void reply.headers({
        ...HARMLESS,
        'content-type': OUTPUTS[transform.output],
        'content-disposition': `inline; ${describeName(`${file.name}.${transform.output}`)}`,
        'content-length': size,
        'cache-control': `${isKept ? KEPT : FRESH}${isLasting ? ', immutable' : ''}`,
        'x-appwrite-cache': isKept ? 'hit' : 'miss',
      });
      return reply.send(Readable.from(bytes));
    },
  });

  async function admit({ caller, address }: AppwriteCall): Promise<void> {
    if (caller.kind === 'key') return;
    await ctx.limits.charge(DRAWINGS, caller.kind === 'user' ? caller.account : address);
  }
}

/** Tokens for files of `/v1`, made by those who may change the file. */
import { z } from 'zod';
import type { Context } from '../../context.ts';
import type { RateLimit } from '../../platform/concurrency/rate-limits.ts';
import { readParams } from '../http.ts';
import type { AppwriteHttp } from '../http.ts';
import * as models from '../reply-models.ts';
import { parseTime, writeTime } from '../time.ts';
import { makeUniqueId } from '../../platform/postgres/unique-id.ts';
import { requireBucket, requireChangeableFile } from './service.ts';
import { makeFileToken } from './tokens.ts';

const LIMIT: RateLimit = { name: 'v1-file-tokens', points: 120, perSeconds: 60, scope: 'process' };
const TOKEN_LIFETIME_MS = 365 * 24 * 3_600_000;
const TokenOptions = z.object({
  expire: z
    .string()
    .transform(parseTime)
    .refine((time) => time !== undefined, 'Value must be a valid date')
    .nullish(),
});

export function fileTokenRoutes(http: AppwriteHttp, ctx: Context): void {
  http.add({
    method: 'POST',
    paths: ['/tokens/buckets/:bucket/files/:file'],
    auth: 'guest',
    docs: {
      summary: 'Creates a token that lets its holder read a file',
      sdk: 'tokens.createFileToken',
      body: TokenOptions,
      reply: models.ResourceToken,
      errors: ['storage_bucket_not_found', 'storage_file_not_found', 'user_unauthorized'],
    },
    status: 201,
    limit: LIMIT,
    async handle({ params, body, caller }) {
      const bucket = requireBucket(ctx, params['bucket'] ?? '');
      const file = await requireChangeableFile(ctx, bucket, params['file'] ?? '', 'update', caller);
      const { expire } = readParams(TokenOptions, body);
      const now = ctx.clock.now();
      const until = expire ?? now + TOKEN_LIFETIME_MS;
      return {
        $id: makeUniqueId(now),
        $createdAt: writeTime(now),
        resourceId: `${bucket.id}:${file.id}`,
        resourceType: 'files',
        expire: writeTime(until),
        secret: makeFileToken(ctx, { bucket: bucket.id, file: file.id, blob: file.blob, until }),
        accessedAt: '',
      };
    },
  });
}

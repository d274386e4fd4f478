import { z } from 'zod';
import type { Context } from '../../context.ts';
import { AppwriteError } from '../errors.ts';
import type { AppwriteCall } from '../http.ts';
import { requireBucket, requireReadableFile } from './service.ts';
import type { FileRow } from './store.ts';
import { readFileToken } from './tokens.ts';

/** Parameters of URLs that a browser opens without headers. */
export const OpenQuery = z.object({
  project: z.string().optional().describe('The project, where the header can not be sent.'),
  token: z.string().optional().describe('A token of `tokens.createFileToken`.'),
});

/** The file of the URL, if its permissions or a token allow the caller to read it. */
export async function requireOpenable(ctx: Context, { params, query, caller }: AppwriteCall): Promise<FileRow> {
  const bucket = requireBucket(ctx, params['bucket'] ?? '');
  const id = params['file'] ?? '';
  const token = readFileToken(ctx, query.get('token') ?? undefined, { bucket: bucket.id, file: id });
  const file = await requireReadableFile(ctx, bucket, id, caller, token);
  if (file.state !== 'finished') throw new AppwriteError('storage_file_not_found');
  return file;
}

/** Files of `/v1`: listing, uploading, changing and deleting them. */
import { CHUNK_BYTES } from '@dostar/protocol/content/media';
import { AppwriteId } from '@dostar/protocol/appwrite/ids';
import { ownPermissions } from '@dostar/protocol/appwrite/permissions';
import { sql } from 'kysely';
import { z } from 'zod';
import type { Context } from '../../context.ts';
import { listPage } from '../list-page.ts';
import type { SqlFields } from '../query-sql.ts';
import type { RateLimit } from '../../platform/concurrency/rate-limits.ts';
import { AppwriteError } from '../errors.ts';
import { listableItems } from '../containers/service.ts';
import { readParams, whoCalls } from '../http.ts';
import type { AppwriteCaller, AppwriteHttp } from '../http.ts';
import * as models from '../reply-models.ts';
import { mayCreate, readersFor, readPermissions, requireOwnRoles } from '../permissions.ts';
import { ListQuery, listQueryTexts, readQueries } from '../queries.ts';
import { makeUniqueId } from '../../platform/postgres/unique-id.ts';
import { UploadSlots } from '../../platform/storage/upload-slots.ts';
import { widestNetworkOf } from '../../platform/http/visitor-address.ts';
import { chunkNamed, readContentRange } from './content-range.ts';
import { extensionOf } from './extension-types.ts';
import { FORM_SLOTS, UploadForm, withForm } from './form.ts';
import type { FileForm } from './form.ts';
import { describeFile } from './model.ts';
import {
  changeFile,
  guardOf,
  removeFile,
  requireBucket,
  requireMatchingType,
  requireReadableFile,
  storePiece,
} from './service.ts';
import type { Bucket, Piece } from './service.ts';
import { detectMimeType } from './detect-mime-type.ts';
import type { FileRow } from './store.ts';

const FILES = '/storage/buckets/:bucket/files';
const READS: RateLimit = { name: 'v1-file-reads', points: 600, perSeconds: 60, scope: 'process' };
/** Per chunk number: a large file is not many files. */
const UPLOADS: RateLimit = { name: 'v1-file-uploads', points: 60, perSeconds: 60, scope: 'process' };
const CHANGES: RateLimit = { name: 'v1-file-changes', points: 60, perSeconds: 60, scope: 'process' };

const Changes = z.object({ name: z.string().min(1).max(128).optional(), permissions: z.array(z.string()).nullish() });
const FOLDER = /^(?:(?!\.{1,2}\/)[^/]{1,255}\/)*$/;
const MAX_FOLDER = 2048;

const FIELDS: SqlFields = new Map([
  ['$id', { type: 'text', isArray: false, expression: sql`id` }],
  ['$createdAt', { type: 'time', isArray: false, expression: sql`to_timestamp(created_at / 1000.0)` }],
  ['$updatedAt', { type: 'time', isArray: false, expression: sql`to_timestamp(updated_at / 1000.0)` }],
  ['$sequence', { type: 'number', isArray: false, expression: sql`created_at` }],
  ['name', { type: 'text', isArray: false, expression: sql`name` }],
  ['folder', { type: 'text', isArray: false, expression: sql`folder` }],
  ['signature', { type: 'text', isArray: false, expression: sql`signature` }],
  ['mimeType', { type: 'text', isArray: false, expression: sql`mime_type` }],
  ['sizeOriginal', { type: 'number', isArray: false, expression: sql`size` }],
  ['chunksTotal', { type: 'number', isArray: false, expression: sql`chunks_total` }],
  ['chunksUploaded', { type: 'number', isArray: false, expression: sql`chunks_uploaded` }],
]);

const MISSING_FILE = ['storage_bucket_not_found', 'storage_file_not_found', 'user_unauthorized'] as const;
const UPLOAD_ERRORS = [
  'storage_bucket_not_found',
  'user_unauthorized',
  'storage_file_empty',
  'storage_invalid_file_size',
  'storage_invalid_content_range',
  'storage_invalid_appwrite_id',
  'storage_file_type_unsupported',
  'storage_file_already_exists',
  'storage_quota_exceeded',
  'storage_server_full',
  'general_request_timeout',
] as const;

export function fileRoutes(http: AppwriteHttp, ctx: Context): void {
  const slots = new UploadSlots(ctx.clock, FORM_SLOTS);

  http.add({
    method: 'GET',
    paths: [FILES],
    auth: 'guest',
    docs: {
      summary: 'Lists files',
      sdk: 'storage.listFiles',
      query: ListQuery.extend({ search: z.string().optional() }),
      reply: models.FileList,
      errors: ['storage_bucket_not_found', 'user_unauthorized', 'general_cursor_not_found', 'database_timeout'],
    },
    limit: READS,
    async handle({ params, query, caller, address }) {
      const bucket = requireBucket(ctx, params['bucket'] ?? '');
      const visible = listableItems(bucket.owner, readersFor(guardOf(bucket), caller));
      const queries = readQueries(listQueryTexts(query), { fields: FIELDS, errorType: 'general_argument_invalid' });
      const words = query.get('search') ?? '';
      const found = sql<boolean>`(strpos(lower(name), lower(${words})) > 0 or strpos(id, ${words}) > 0)`;
      const { total, rows } = await listPage(ctx.shards.of(bucket.owner), {
        caller: whoCalls({ caller, address }),
        table: 'file',
        columns: sql<FileRow>`*`,
        visible: words === '' ? visible : sql<boolean>`(${visible} and ${found})`,
        fields: FIELDS,
        queries,
        ties: ['$sequence', '$id'].map((attribute) => ({ attribute, isDescending: false })),
        isCounted: query.get('total') !== 'false',
      });
      return { total, files: rows.map((row) => describeFile(row, bucket.id)) };
    },
  });

  http.add({
    method: 'POST',
    paths: [FILES],
    auth: 'guest',
    docs: {
      summary: 'Uploads a file, or one chunk of it',
      sdk: 'storage.createFile',
      form: UploadForm,
      reply: models.File,
      errors: UPLOAD_ERRORS,
    },
    status: 201,
    limit: {
      ...UPLOADS,
      of: ({ caller, address, request }) =>
        `${whoCalls({ caller, address })} ${chunkNamed(request.headers['content-range'])}`,
    },
    async handle({ params, caller, address, request }) {
      const bucket = requireBucket(ctx, params['bucket'] ?? '');
      if (!mayCreate(guardOf(bucket), caller)) throw new AppwriteError('user_unauthorized');
      const uploader = whoCalls({ caller, address: widestNetworkOf(address) });
      return withForm(slots, request, uploader, async (form) => {
        const piece = readPiece(ctx, bucket, form, caller, request.headers);
        return describeFile(await storePiece(ctx, bucket, piece, caller), bucket.id);
      });
    },
  });

  http.add({
    method: 'GET',
    paths: [`${FILES}/:file`],
    auth: 'guest',
    docs: {
      summary: 'Returns a file without its bytes',
      sdk: 'storage.getFile',
      reply: models.File,
      errors: MISSING_FILE,
    },
    limit: READS,
    async handle({ params, caller }) {
      const bucket = requireBucket(ctx, params['bucket'] ?? '');
      return describeFile(await requireReadableFile(ctx, bucket, params['file'] ?? '', caller), bucket.id);
    },
  });

  http.add({
    method: 'PUT',
    paths: [`${FILES}/:file`],
    auth: 'guest',
    docs: {
      summary: 'Changes the name or the permissions of a file',
      sdk: 'storage.updateFile',
      body: Changes,
      reply: models.File,
      errors: [...MISSING_FILE, 'storage_file_type_unsupported'],
    },
    limit: CHANGES,
    async handle({ params, caller, body }) {
      const bucket = requireBucket(ctx, params['bucket'] ?? '');
      const { name, permissions } = readParams(Changes, body);
      const expanded = permissions ? readPermissions(permissions) : undefined;
      const changed = await changeFile(ctx, bucket, params['file'] ?? '', caller, { name, permissions: expanded });
      return describeFile(changed, bucket.id);
    },
  });

  http.add({
    method: 'DELETE',
    paths: [`${FILES}/:file`],
    auth: 'guest',
    docs: { summary: 'Deletes a file', sdk: 'storage.deleteFile', reply: 'nothing', errors: MISSING_FILE },
    limit: CHANGES,
    async handle({ params, caller }) {
      await removeFile(ctx, requireBucket(ctx, params['bucket'] ?? ''), params['file'] ?? '', caller);
    },
  });
}

/** Everything that can be wrong with an upload before a byte of it is stored. */
function readPiece(
  ctx: Context,
  bucket: Bucket,
  form: FileForm,
  caller: AppwriteCaller,
  headers: Record<string, string | string[] | undefined>,
): Piece {
  const range = readContentRange(headers['content-range'], form.bytes.length);
  const { fileId } = readParams(z.object({ fileId: AppwriteId.or(z.literal('unique()')) }), { fileId: form.fileId });
  const given = headers['x-appwrite-id'];
  if (given !== undefined && !AppwriteId.safeParse(given).success)
    throw new AppwriteError('storage_invalid_appwrite_id');
  const permissions = form.permissions ? readPermissions(form.permissions) : ownOf(caller);
  requireOwnRoles(caller, permissions);
  const size = range?.size ?? form.bytes.length;
  if (size > bucket.maxBytes) throw new AppwriteError('storage_invalid_file_size');
  // Guests have no identity, so one guest could continue the upload of another, or of an API key.
  const isGuest = caller.kind === 'guest';
  if (isGuest && size > CHUNK_BYTES)
    throw new AppwriteError('user_unauthorized', 'A guest can not upload a file in chunks.');
  const isWanted = bucket.extensions.length === 0 || bucket.extensions.includes(extensionOf(form.name));
  if (!isWanted) throw new AppwriteError('storage_file_type_unsupported');
  const chunk = (range?.from ?? 0) / CHUNK_BYTES;
  if (chunk === 0) requireMatchingType(form.name, detectMimeType(form.bytes));
  const isFolder = form.folder.length <= MAX_FOLDER && FOLDER.test(form.folder);
  if (!isFolder)
    throw new AppwriteError('general_argument_invalid', 'Invalid `folder` param: not a path ending in a slash');
  const unique = fileId === 'unique()' ? makeUniqueId(ctx.clock.now()) : fileId;
  return {
    id: typeof given === 'string' ? given : unique,
    name: form.name,
    folder: form.folder,
    permissions,
    bytes: form.bytes,
    size,
    chunk,
    isPart: range !== undefined && !isGuest,
  };
}

function ownOf(caller: AppwriteCaller): string[] {
  return caller.kind === 'user' ? ownPermissions(caller.id) : [];
}

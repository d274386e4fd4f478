/** The form of an upload: a file or one chunk, which is small enough for memory. */
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Busboy } from '@fastify/busboy';
import { CHUNK_BYTES } from '@dostar/protocol/content/media';
import { MAX_PERMISSIONS } from '@dostar/protocol/appwrite/permissions';
import type { FastifyRequest } from 'fastify';
import { isStorable } from '../../platform/http/read-json.ts';
import { z } from 'zod';
import { AppwriteError } from '../errors.ts';
import { UploadTooSlowError } from '../../platform/storage/upload-slots.ts';
import type { UploadSlots } from '../../platform/storage/upload-slots.ts';

export interface FileForm {
  fileId: string | undefined;
  name: string;
  bytes: Buffer;
  /** Undefined if the form has none. */
  permissions: string[] | undefined;
  folder: string;
}

/** The form, for the API reference. */
export const UploadForm = z.object({
  fileId: z.string().describe('An id, or `unique()`.'),
  file: z
    .string()
    .meta({ format: 'binary' })
    .describe('At most 5 MiB; a larger file comes in chunks with `Content-Range`.'),
  'permissions[]': z.array(z.string()).optional(),
  folder: z.string().optional(),
});

/** At most 120 MB of chunks in memory, 20 MB per caller. */
export const FORM_SLOTS = { total: 24, perCaller: 4, waiting: { total: 240, perCaller: 12 } };

const OTHER_FIELDS = 10;
const FIELD_BYTES = 4096;
const FIELDS = MAX_PERMISSIONS + OTHER_FIELDS;
const LIMITS = {
  fileSize: CHUNK_BYTES,
  files: 1,
  fields: FIELDS,
  parts: FIELDS + 1,
  fieldSize: FIELD_BYTES,
  headerPairs: 20,
  headerSize: FIELD_BYTES,
};
/** The size of a form whose parts all have their maximum size. */
const MAX_BYTES = CHUNK_BYTES + (FIELDS + 1) * 3 * FIELD_BYTES;

/** The parser never finishes a form with a part whose headers do not end, so it would never free its upload slot. */
const PARSE_TIMEOUT_MS = 1_000;

/** Holds the form in memory while the task runs. */
export async function withForm<T>(
  slots: UploadSlots,
  request: FastifyRequest,
  caller: string,
  task: (form: FileForm) => Promise<T>,
): Promise<T> {
  const contentType = request.headers['content-type'] ?? '';
  if (!contentType.startsWith('multipart/form-data')) throw new AppwriteError('storage_file_empty');
  return slots.run(caller, request.body as Readable, async (bytes) => task(await parse(contentType, bytes)));
}

async function parse(contentType: string, bytes: AsyncIterable<Uint8Array>): Promise<FileForm> {
  const fields = new Map<string, string[]>();
  const pieces: Buffer[] = [];
  let name: string | undefined;
  let isTooLong = false;
  // Parts beyond the limit are skipped one by one, which costs as much as reading them.
  const timeout = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  try {
    const form = new Busboy({ headers: { 'content-type': contentType }, limits: LIMITS });
    form.on('field', (field, value) => fields.set(field, [...(fields.get(field) ?? []), value]));
    form.on('file', (_field, stream, fileName) => {
      name = unescape(fileName ?? '');
      stream.on('data', (piece: Buffer) => pieces.push(piece));
      stream.on('error', ignoreError);
      stream.on('limit', () => {
        isTooLong = true;
      });
    });
    for (const event of ['partsLimit', 'filesLimit', 'fieldsLimit']) form.on(event, () => timeout.abort());
    form.on('error', ignoreError);
    const onEnd = (): void => {
      timer = setTimeout(() => timeout.abort(), PARSE_TIMEOUT_MS);
    };
    await pipeline(bounded(bytes, onEnd), form, { signal: timeout.signal });
  } catch (error) {
    if (error instanceof UploadTooSlowError || error instanceof AppwriteError) throw error;
    throw new AppwriteError('general_argument_invalid', 'The form can not be read.', { cause: error });
  } finally {
    clearTimeout(timer);
  }
  if (isTooLong) throw new AppwriteError('storage_invalid_file_size');
  if (name === undefined) throw new AppwriteError('storage_file_empty');
  const folder = fields.get('folder')?.[0] ?? '';
  if (!isStorable(name) || !isStorable(folder))
    throw new AppwriteError('general_argument_invalid', 'The form holds text that can not be stored.');
  return {
    fileId: fields.get('fileId')?.[0],
    name: name.slice(0, 255).toWellFormed() || 'file',
    bytes: Buffer.concat(pieces),
    permissions: fields.get('permissions[]'),
    folder,
  };
}

async function* bounded(bytes: AsyncIterable<Uint8Array>, onEnd: () => void): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const piece of bytes) {
    size += piece.length;
    if (size > MAX_BYTES) throw new AppwriteError('storage_invalid_file_size');
    yield piece;
  }
  onEnd();
}

/** A form that breaks off emits two errors. Without a listener the second would end the process. */
function ignoreError(): void {}

/** Browsers percent-encode quotes and line ends in a file name, and nothing else. */
function unescape(name: string): string {
  return name.replaceAll('%22', '"').replaceAll('%0D', '\r').replaceAll('%0A', '\n');
}

/** The form in which a file, or a chunk of one, arrives. A chunk is small enough to be held. */
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { Busboy } from '@fastify/busboy';
import { CHUNK_BYTES } from '@dostar/protocol/content/media';
import { MAX_PERMISSIONS } from '@dostar/protocol/service/permissions';
import type { FastifyRequest } from 'fastify';
import { Gate } from '../../platform/gate.ts';
import { ServiceError } from '../../platform/service-errors.ts';

export interface FileForm {
  fileId: string | undefined;
  name: string;
  bytes: Buffer;
  /** Undefined if none is named. */
  permissions: string[] | undefined;
  folder: string;
}

/** 120 MB of chunks on their way in. */
const gate = new Gate(24);
const OTHER_FIELDS = 10;

/** Whoever is done with the form lets go of it: as many are held as fit into memory. */
export async function readForm(request: FastifyRequest): Promise<FileForm & Disposable> {
  const leave = await gate.enter();
  try {
    return { ...(await parse(request)), [Symbol.dispose]: leave };
  } catch (error) {
    leave();
    throw error;
  }
}

async function parse(request: FastifyRequest): Promise<FileForm> {
  const contentType = request.headers['content-type'] ?? '';
  if (!contentType.startsWith('multipart/form-data')) throw new ServiceError('storage_file_empty');
  const limits = {
    fileSize: CHUNK_BYTES,
    files: 1,
    fields: MAX_PERMISSIONS + OTHER_FIELDS,
    fieldSize: 4096,
    headerPairs: 20,
  };
  const fields = new Map<string, string[]>();
  const pieces: Buffer[] = [];
  let name: string | undefined;
  let isTooLong = false;
  const form = new Busboy({ headers: { ...request.headers, 'content-type': contentType }, limits });
  form.on('field', (field, value) => fields.set(field, [...(fields.get(field) ?? []), value]));
  form.on('file', (_field, stream, fileName) => {
    name = unescape(fileName ?? '');
    stream.on('data', (piece: Buffer) => pieces.push(piece));
    stream.on('error', heard);
    stream.on('limit', () => {
      isTooLong = true;
    });
  });
  const finished = once(form, 'finish');
  form.on('error', heard);
  (request.body as Readable).on('error', (error) => form.destroy(error)).pipe(form);
  await finished.catch((error: unknown) => {
    throw new ServiceError('general_argument_invalid', 'The form can not be read.', { cause: error });
  });
  if (isTooLong) throw new ServiceError('storage_invalid_file_size');
  if (name === undefined) throw new ServiceError('storage_file_empty');
  return {
    fileId: fields.get('fileId')?.[0],
    name: name.slice(0, 255) || 'file',
    bytes: Buffer.concat(pieces),
    permissions: fields.get('permissions[]'),
    folder: fields.get('folder')?.[0] ?? '',
  };
}

/** A form that is cut off complains twice; the second complaint, unheard, would end the process. */
function heard(): void {}

/** Browsers write quotes and line ends of a name in hex, and nothing else. */
function unescape(name: string): string {
  return name.replaceAll('%22', '"').replaceAll('%0D', '\r').replaceAll('%0A', '\n');
}

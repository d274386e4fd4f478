import { writeTime } from '../time.ts';
import type { FileRow } from './store.ts';

/** A file in the format of `/v1`. */
export function describeFile(row: FileRow, bucketId: string) {
  return {
    $id: row.id,
    bucketId,
    $createdAt: writeTime(row.created_at),
    $updatedAt: writeTime(row.updated_at),
    $permissions: row.permissions,
    name: row.name,
    folder: row.folder,
    key: row.folder + row.name,
    signature: row.signature,
    mimeType: row.mime_type,
    sizeOriginal: row.size,
    sizeActual: row.size,
    chunksTotal: row.chunks_total,
    chunksUploaded: row.chunks_uploaded,
    encryption: false,
    compression: 'none',
  };
}

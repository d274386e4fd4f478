import type { ErrorCode } from '@dostar/protocol/errors';
import { codeOf, fullStorageOf } from '../../core/lib/failure.ts';

const refused: ErrorCode[] = ['invalid_request', 'not_found', 'too_large'];

/** Maps an error to a reason that the UI explains. */
export function reasonOf(
  error: unknown,
): 'changed' | 'tooOften' | 'storageFull' | 'serverFull' | 'invalid' | 'offline' {
  const code = codeOf(error);
  if (code === 'stale_revision') return 'changed';
  if (code === 'rate_limited') return 'tooOften';
  if (code === 'insufficient_storage') return fullStorageOf(error) === 'server' ? 'serverFull' : 'storageFull';
  return code !== undefined && refused.includes(code) ? 'invalid' : 'offline';
}

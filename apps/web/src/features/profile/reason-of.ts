import type { ErrorCode } from '@dostar/protocol/errors';

const refused: ErrorCode[] = ['invalid_request', 'not_found', 'too_large', 'quota_exceeded'];

/** Maps an error code to a reason that the UI explains. */
export function reasonOf(code: ErrorCode | undefined): 'changed' | 'tooOften' | 'invalid' | 'offline' {
  if (code === 'stale_revision') return 'changed';
  if (code === 'rate_limited') return 'tooOften';
  return code !== undefined && refused.includes(code) ? 'invalid' : 'offline';
}

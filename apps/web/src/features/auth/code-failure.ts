import type { ErrorCode } from '@dostar/protocol/errors';

/** Which sentence of `auth` says why a code was not sent. */
export function reasonOfCode(code: ErrorCode | undefined) {
  if (code === 'unavailable') return 'common.offline';
  return code === 'rate_limited' || code === 'too_soon' ? 'common.tooOften' : 'signUp.unexpected';
}

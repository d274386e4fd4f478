import type { ErrorCode } from '@dostar/protocol/errors';

/** The key of the text in `auth` that says why a sign-up or its code failed. */
export function reasonOfCode(code: ErrorCode | undefined) {
  if (code === 'unavailable') return 'common.offline';
  return code === 'rate_limited' || code === 'too_soon' ? 'common.tooOften' : 'signUp.unexpected';
}

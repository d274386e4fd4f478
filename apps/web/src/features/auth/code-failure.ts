import type { ErrorCode } from '@dostar/protocol/errors';

/** Maps the error of a sign-up or of its code to a text key in `auth`. */
export function reasonOfCode(code: ErrorCode | undefined) {
  if (code === 'unavailable') return 'common.offline';
  return code === 'rate_limited' || code === 'too_soon' ? 'common.tooOften' : 'signUp.unexpected';
}

import type { ErrorCode } from '@dostar/protocol/errors';

/** Why a server lets no one in without an invite, or not with this one. */
const refusals = {
  sign_ups_closed: 'noSignUp.closed.title',
  invite_required: 'noSignUp.invite.title',
  invite_gone: 'noSignUp.gone.title',
} as const;

/** Maps the error of a sign-up or of its code to a text key in `auth`. */
export function reasonOfCode(code: ErrorCode | undefined) {
  if (code === 'sign_ups_closed' || code === 'invite_required' || code === 'invite_gone') return refusals[code];
  if (code === 'unavailable') return 'common.offline';
  return code === 'rate_limited' || code === 'too_soon' ? 'common.tooOften' : 'signUp.unexpected';
}

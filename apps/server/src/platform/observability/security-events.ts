/** Which calls are events of the security log. What a route does is declared here, so that no handler can forget it. */
import { SESSION_COOKIE } from '@dostar/protocol/contract/sessions';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { readCookie } from '../http/cookies.ts';
import type { SecurityEvent, SecurityLog } from './security-log.ts';

type Kind = Pick<SecurityEvent, 'event' | 'method'>;

const EVENTS: Record<string, Kind> = {
  // With OPAQUE the browser notices a wrong password and does not finish: one that is begun only was a wrong one.
  'POST /api/auth/login/start': { event: 'sign_in_begun', method: 'password' },
  'POST /api/auth/login/finish': { event: 'sign_in', method: 'password' },
  'POST /api/auth/login/passkey/finish': { event: 'sign_in', method: 'passkey' },
  'POST /api/auth/factors/give': { event: 'second_factor' },
  'POST /api/auth/sign-up/enter': { event: 'account_created' },
  'POST /api/auth/prove/password/finish': { event: 'reauthentication', method: 'password' },
  'POST /api/auth/prove/passkey/finish': { event: 'reauthentication', method: 'passkey' },
  'POST /api/auth/prove/email/give': { event: 'reauthentication', method: 'email' },
  'POST /api/auth/prove/factor/give': { event: 'reauthentication', method: 'second_factor' },
  'POST /api/auth/password/finish': { event: 'password_changed' },
  'POST /api/auth/email/change': { event: 'email_change_asked' },
  'POST /api/auth/passkeys/finish': { event: 'passkey_added' },
  'POST /api/auth/passkeys/remove': { event: 'passkey_removed' },
  'POST /api/auth/factors/confirm': { event: 'factor_added' },
  'POST /api/auth/factors/remove': { event: 'factor_removed' },
  'POST /api/auth/factors/recovery-codes': { event: 'recovery_codes_renewed' },
  'POST /api/auth/google/link': { event: 'google_linked' },
  'POST /api/auth/recovery/ask': { event: 'recovery_asked' },
  'POST /api/auth/recovery/finish': { event: 'recovery_finished' },
  'POST /api/auth/wraps/recovery': { event: 'recovery_key_set' },
  'POST /api/auth/start-fresh': { event: 'account_key_replaced' },
  'POST /api/auth/old-password/open': { event: 'old_password_given' },
  'POST /api/auth/old-password/lock': { event: 'reset_undone' },
  'DELETE /api/session': { event: 'session_ended' },
  'POST /api/sessions/end': { event: 'session_ended' },
  'POST /v1/account': { event: 'account_created' },
  'POST /v1/account/sessions/email': { event: 'sign_in', method: 'password' },
  'POST /v1/account/sessions': { event: 'sign_in', method: 'password' },
  'POST /v1/account/sessions/token': { event: 'sign_in', method: 'google' },
  'DELETE /v1/account/sessions/:session': { event: 'session_ended' },
  'DELETE /v1/account/sessions': { event: 'session_ended' },
  'PATCH /v1/account/password': { event: 'password_changed' },
  'PATCH /v1/account/email': { event: 'email_changed' },
  'PATCH /v1/account/mfa': { event: 'factors_switched' },
  'PUT /v1/account/mfa/authenticators/:type': { event: 'factor_added' },
  'DELETE /v1/account/mfa/authenticators/:type': { event: 'factor_removed' },
  'POST /v1/account/mfa/recovery-codes': { event: 'recovery_codes_renewed' },
  'PATCH /v1/account/mfa/recovery-codes': { event: 'recovery_codes_renewed' },
  'PUT /v1/account/mfa/challenges': { event: 'second_factor' },
  'PUT /v1/account/mfa/challenge': { event: 'second_factor' },
  'POST /v1/account/recovery': { event: 'recovery_asked' },
  'PUT /v1/account/recovery': { event: 'recovery_finished' },
};

export const SECURITY_ROUTES = Object.keys(EVENTS);

/** The caller may not do this. */
const REFUSALS = new Set([
  'unauthenticated',
  'wrong_account',
  'forbidden',
  'factor_required',
  'reauthenticate',
  'general_unauthorized_scope',
  'general_unknown_origin',
  'user_unauthorized',
  'user_more_factors_required',
  'user_challenge_required',
]);

interface Outcome {
  /** The code of the failure that was answered. */
  reason?: string;
  /** The account that signed in, where the call began without one. */
  account?: string;
}

const outcomes = new WeakMap<FastifyRequest, Outcome>();

/** Remembers the outcome of a call until its response has been sent. */
export function noteOutcome(request: FastifyRequest, outcome: Outcome): void {
  outcomes.set(request, { ...outcomes.get(request), ...outcome });
}

/** The account in the reply of a call that signs in. */
export function accountIn(reply: unknown): Outcome {
  const { account, userId } = (reply ?? {}) as { account?: unknown; userId?: unknown };
  const id = account ?? userId;
  return typeof id === 'string' ? { account: id } : {};
}

export function noteCall(security: SecurityLog, request: FastifyRequest, reply: FastifyReply): void {
  const { reason, account = callerOf(request) } = outcomes.get(request) ?? {};
  const route = request.routeOptions.url ?? 'none';
  const about = { route, account, ...(reason !== undefined && { reason, request: request.id }) };
  if (reply.statusCode === 429) security.note({ ...about, event: 'limit_reached', outcome: 'refused' });
  else if (reason !== undefined && REFUSALS.has(reason)) {
    // Every page without a session asks for it: that is no attempt.
    if (reason !== 'unauthenticated' || readCookie(request.headers.cookie, SESSION_COOKIE) !== undefined)
      security.note({ ...about, event: 'authorization', outcome: 'refused' });
  } else {
    const kind = EVENTS[`${request.method} ${route}`];
    if (kind) security.note({ ...about, ...kind, outcome: reply.statusCode < 400 ? 'success' : 'failure' });
  }
}

function callerOf({ caller, admitted }: FastifyRequest): string | undefined {
  return caller?.account ?? (admitted?.caller.kind === 'user' ? admitted.caller.id : undefined);
}

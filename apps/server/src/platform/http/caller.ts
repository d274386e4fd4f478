/** Who calls a route, and what a caller may do. */
import { ANY_ACCOUNT, CALL_HEADER } from '@dostar/protocol/contract/endpoint';
import type { Auth, Endpoint } from '@dostar/protocol/contract/endpoint';
import { AppError } from '@dostar/protocol/errors';
import type { AccountId, DeviceId } from '@dostar/protocol/ids';
import type { FastifyRequest } from 'fastify';

/** A signed-in device. */
export interface Caller {
  account: AccountId;
  device: DeviceId;
  session: string;
  /** When the user last re-authenticated. */
  provenAt: number;
  /** The second factor is missing (SPEC H6). */
  isPending: boolean;
  /** Of the token that the call came with. */
  tokenHash: Buffer;
}

/** The browser that began a sign-up. */
export interface TicketHolder {
  account: AccountId;
  ticket: string;
  /** Whether the email address is verified. */
  isVerified: boolean;
}

/** Contracts say who may call; the types follow. */
export interface Callers {
  session: Caller;
  pending: Caller;
  ticket: TicketHolder;
  self: Caller | TicketHolder;
  anyone: undefined;
}
export type CallerOf<E extends Endpoint> = Callers[E['auth']];

/** Refuses a session whose second factor is missing (SPEC H6). */
export function requireSecondFactor(caller: Caller): Caller {
  if (caller.isPending) throw new AppError('factor_required');
  return caller;
}

/** The cookie decides for whom a call acts. A call that names another account is refused (SPEC H2). */
export function requireIntendedAccount(caller: Callers[Auth], request: FastifyRequest): void {
  const meant = request.headers[CALL_HEADER];
  if (caller !== undefined && meant !== ANY_ACCOUNT && meant !== caller.account) throw new AppError('wrong_account');
}

/** Callers act on their own account only; a sign-up ticket acts only after its address is verified. */
export function requireSelf(caller: Caller | TicketHolder, account: AccountId): void {
  if (caller.account !== account) throw new AppError('forbidden');
  if ('ticket' in caller && !caller.isVerified) throw new AppError('forbidden');
}

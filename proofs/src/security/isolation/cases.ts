/** Callers without access, and how the server refuses them. A refusal with another code fails the check. */
import type { Auth } from '@dostar/protocol/contract/endpoint';
import type { ErrorCode } from '@dostar/protocol/errors';
import { ORIGIN } from '../../harness/lib/servers.ts';
import type { Credentials } from './call.ts';
import { ticketFor } from './bodies.ts';
import type { TestAccounts } from './bodies.ts';
import type { NamedEndpoint } from './contract.ts';
import type { Person, SignUp } from './test-accounts.ts';

/** All kinds of callers. */
export interface AttackAccounts extends TestAccounts {
  mallory: Person;
  mallorysSignUp: SignUp;
  expiredToken: string;
  endedToken: string;
  expiredTicket: string;
  /** Creates one more session of Alice. */
  makeSession: () => Promise<{ token: string; session: string }>;
}

export interface Case {
  name: string;
  /** The expected error code by the endpoint's `auth`; if it is missing, this case does not apply. */
  refusal: Partial<Record<Auth, ErrorCode>>;
  credentials: (attackAccounts: AttackAccounts, valid: Credentials) => Credentials;
}

const MADE_UP = Buffer.alloc(48, 7).toString('base64url');

const allCallers = (code: ErrorCode): Case['refusal'] => ({
  session: code,
  pending: code,
  ticket: code,
  self: code,
  anyone: code,
});
const signedIn = (code: ErrorCode): Case['refusal'] => ({ session: code, pending: code, self: code });

export const CASES: Case[] = [
  { name: 'no header', refusal: allCallers('forbidden'), credentials: (_, valid) => ({ ...valid, header: null }) },
  {
    name: 'other origin',
    refusal: allCallers('forbidden'),
    credentials: (_, valid) => ({ ...valid, origin: 'https://elsewhere.example' }),
  },
  {
    name: 'null origin',
    refusal: allCallers('forbidden'),
    credentials: (_, valid) => ({ ...valid, origin: 'null' }),
  },
  {
    name: 'cross-site',
    refusal: allCallers('forbidden'),
    credentials: (_, valid) => ({ ...valid, origin: ORIGIN, site: 'cross-site' }),
  },
  { name: 'anonymous', refusal: { ...signedIn('unauthenticated'), ticket: 'no_sign_up' }, credentials: () => ({}) },
  {
    name: 'made-up',
    refusal: { ...signedIn('unauthenticated'), ticket: 'no_sign_up' },
    credentials: () => ({ token: MADE_UP, ticket: MADE_UP }),
  },
  {
    name: 'expired',
    refusal: { ...signedIn('unauthenticated'), ticket: 'no_sign_up' },
    credentials: ({ expiredToken, expiredTicket }) => ({ token: expiredToken, ticket: expiredTicket }),
  },
  {
    name: 'ended',
    refusal: signedIn('unauthenticated'),
    credentials: ({ endedToken }) => ({ token: endedToken }),
  },
  {
    name: 'factor owed',
    refusal: { session: 'factor_required', self: 'factor_required' },
    credentials: ({ pendingToken }) => ({ token: pendingToken }),
  },
  {
    name: 'session only',
    refusal: { ticket: 'no_sign_up' },
    credentials: ({ alice }) => ({ token: alice.token }),
  },
  {
    name: 'ticket only',
    refusal: { session: 'unauthenticated', pending: 'unauthenticated' },
    credentials: ({ signUp }) => ({ ticket: signUp.ticket }),
  },
  {
    name: 'meant for another',
    refusal: { ...signedIn('wrong_account'), ticket: 'wrong_account' },
    credentials: ({ mallory }, valid) => ({ ...valid, header: mallory.account }),
  },
  {
    name: 'other account',
    refusal: { self: 'forbidden' },
    credentials: ({ mallory }) => ({ token: mallory.token }),
  },
  {
    name: "other's ticket",
    refusal: { self: 'forbidden' },
    credentials: ({ mallorysSignUp }) => ({ ticket: mallorysSignUp.ticket }),
  },
];

/** The credentials with which the call is accepted. */
export function validCredentials({ name, endpoint }: NamedEndpoint, testAccounts: TestAccounts): Credentials {
  switch (endpoint.auth) {
    case 'anyone':
      return {};
    case 'ticket':
      return { ticket: ticketFor(name, testAccounts) };
    case 'pending':
      return { token: testAccounts.pendingToken, origin: ORIGIN, site: 'same-origin' };
    case 'session':
    case 'self':
      return { token: testAccounts.alice.token, origin: ORIGIN, site: 'same-origin' };
  }
}

const NOT_AUTHORIZED: readonly string[] = [
  'unauthenticated',
  'forbidden',
  'factor_required',
  'wrong_account',
  'invalid_request',
  'rate_limited',
  'internal',
  'unavailable',
  'unreadable',
] satisfies (ErrorCode | 'unreadable')[];

/** True if the call reached its handler, whatever the handler answered. */
export function isHeard(auth: Auth, error: string): boolean {
  return !NOT_AUTHORIZED.includes(error) && !(auth === 'ticket' && error === 'no_sign_up');
}

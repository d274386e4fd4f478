/**
 * Invites: a link or a QR code with `#token.fingerprint`. With the token a guest becomes a contact without a request;
 * the fingerprint is that of the inviter's master key, so that no server can replace the key. Both are in the fragment,
 * which a browser never sends.
 */
import { z } from 'zod';
import { ContactState, FoundUser } from './contacts.ts';
import { Done } from './done.ts';
import { endpoint } from './endpoint.ts';
import { InviteToken } from './invite-tokens.ts';

export const INVITE_LIVES_MS = 30 * 24 * 3_600_000;
export const INVITE_USES = 20;
export const MAX_INVITES = 10;

export const Invite = z.object({
  id: z.uuid(),
  createdAt: z.int(),
  expiresAt: z.int(),
  usesLeft: z.int().nonnegative(),
});
export type Invite = z.infer<typeof Invite>;

/** Returns the token once: the server keeps a hash of it. `replaces` withdraws another invite in the same step. */
export const createInvite = endpoint({
  method: 'POST',
  path: '/api/invites/create',
  auth: 'session',
  body: z.object({ replaces: z.uuid().optional() }),
  reply: z.object({ token: InviteToken, invite: Invite }),
  errors: ['too_many', 'rate_limited', 'unavailable'],
});

export const listInvites = endpoint({
  method: 'GET',
  path: '/api/invites',
  auth: 'session',
  body: z.undefined(),
  reply: z.object({ invites: z.array(Invite) }),
  errors: ['unauthenticated', 'unavailable'],
});

export const revokeInvite = endpoint({
  method: 'POST',
  path: '/api/invites/revoke',
  auth: 'session',
  body: z.object({ id: z.uuid() }),
  reply: Done,
  errors: ['rate_limited', 'unavailable'],
});

/** Makes the two accounts contacts. `invite_gone`: used up, too old, withdrawn or never created. */
export const redeemInvite = endpoint({
  method: 'POST',
  path: '/api/invites/redeem',
  auth: 'session',
  body: z.object({ act: z.uuid(), token: InviteToken }),
  reply: z.object({ user: FoundUser, state: ContactState }),
  errors: ['invite_gone', 'forbidden', 'rate_limited', 'unavailable'],
});

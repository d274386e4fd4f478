/** Secrets, encrypted under the account key, which the server does not have. */
import { z } from 'zod';
import { endpoint } from './endpoint.ts';

export const MAX_VAULT_BYTES = 256 * 1024;
/** Limit of a vault, because every replaced revision is stored too. */
export const MAX_SECRETS_BYTES = 32 * 1024;

/**
 * `secrets`: identity seeds, backup key, key of the dehydrated device. `profile`: private profile data. `trust`: the
 * trust list (SPEC T1).
 */
export const VaultKind = z.enum(['secrets', 'profile', 'trust']);
export type VaultKind = z.infer<typeof VaultKind>;

const Blob = z
  .base64url()
  .min(1)
  .max(Math.ceil((MAX_VAULT_BYTES * 4) / 3));

/** Revision 0 means that there is none yet. */
const Rev = z.int().nonnegative();

export const getVault = endpoint({
  method: 'POST',
  path: '/api/vault/get',
  auth: 'session',
  body: z.object({ kind: VaultKind }),
  reply: z.object({ rev: Rev, blob: Blob.nullable() }),
  errors: ['rate_limited', 'unavailable'],
});

/** Replaces revision `rev` by the next one. `stale_revision`, with the current `rev`, if another device has written since. */
export const putVault = endpoint({
  method: 'POST',
  path: '/api/vault/put',
  auth: 'session',
  body: z.object({ kind: VaultKind, rev: Rev, blob: Blob }),
  reply: z.object({ rev: Rev }),
  errors: ['stale_revision', 'too_large', 'rate_limited', 'unavailable'],
});

const ReplacedRevision = z.object({ rev: Rev, replacedAt: z.int(), blob: Blob });

/**
 * Returns revisions that were replaced in the last 30 days, newest first, in pages: the last one of a page goes into the next
 * call's `before`. If there are any, the call needs re-authentication: a stolen session must not read them.
 */
export const listVaultRevisions = endpoint({
  method: 'POST',
  path: '/api/vault/revisions',
  auth: 'session',
  body: z.object({ kind: VaultKind, before: ReplacedRevision.omit({ blob: true }).optional() }),
  reply: z.object({ revisions: z.array(ReplacedRevision) }),
  errors: ['reauthenticate', 'rate_limited', 'unavailable'],
});

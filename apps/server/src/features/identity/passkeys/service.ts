/**
 * Passkeys (WebAuthn). The library verifies signatures; this decides who may answer which challenge, and how often.
 *
 * Promise: a challenge is encrypted, has one purpose, expires after five minutes and is answered once. An answer without
 * user verification by the authenticator is refused.
 */
import { createHash, randomBytes } from 'node:crypto';
import { generateAuthenticationOptions, verifyAuthenticationResponse } from '@simplewebauthn/server';
import type { RequestOptions, AssertionResponse } from '@dostar/protocol/contract/passkeys';
import { AppError } from '@dostar/protocol/errors';
import type { AccountId } from '@dostar/protocol/ids';
import { z } from 'zod';
import type { Context } from '../../../context.ts';
import type { RateLimit } from '../../../platform/concurrency/rate-limits.ts';
import { fromAccountBytes } from '../../../platform/security/account-bytes.ts';
import { consumeChallenge } from '../../../platform/security/used-challenges.ts';
import { loadRestriction, isRestricted, liftRestriction } from '../recovery/service.ts';
import type { Caller, Session } from '../sessions/service.ts';
import { findPasskey, listPasskeys, setUsed } from './store.ts';

export { deletePasskeysSince } from './store.ts';

export const CHALLENGE_LIFETIME_MS = 5 * 60_000;
/** Failed answers from one address. */
const FAILED_ASSERTIONS: RateLimit = { name: 'passkey-address', points: 30, perSeconds: 900, scope: 'shared' };

const Challenge = z.object({ challenge: z.string(), expiresAt: z.number() });
export type Challenge = z.infer<typeof Challenge>;

export interface PasskeyRequest {
  options: RequestOptions;
  challenge: string;
}

export interface PasskeyResponse {
  response: AssertionResponse;
  challenge: string;
}

const SIGN_IN = 'passkey sign-in';

/** Names no account, so the browser offers every passkey of this site. */
export async function startPasskeyLogin(ctx: Context): Promise<PasskeyRequest> {
  return createPasskeyRequest(ctx, SIGN_IN);
}

/** Returns the account whose passkey answered, and when the passkey was created. */
export async function finishPasskeyLogin(
  ctx: Context,
  passkeyResponse: PasskeyResponse,
  address: string,
): Promise<{ account: AccountId; createdAt: number }> {
  // The user handle is the account id, so a passkey finds its shard without an email address.
  const account = fromAccountBytes(Buffer.from(passkeyResponse.response.response.userHandle ?? '', 'base64url'));
  if (!account) throw new AppError('passkey_refused');
  return { account, createdAt: await verifyPasskeyResponse(ctx, account, SIGN_IN, passkeyResponse, address) };
}

/** A passkey from before a reset belongs to the owner: access to the email account does not give one. */
export async function liftRestrictionByPasskey(ctx: Context, caller: Caller, createdAt: number): Promise<void> {
  if (isRestricted(await loadRestriction(ctx, caller), createdAt)) await liftRestriction(ctx, caller);
}

/** Re-authentication with a passkey of the account. */
export async function startPasskeyReauthentication(ctx: Context, caller: Session): Promise<PasskeyRequest> {
  const known = await ctx.shards.of(caller.account).query((db) => listPasskeys(db, caller.account));
  if (known.length === 0) throw new AppError('not_found');
  return createPasskeyRequest(
    ctx,
    reauthenticationPurpose(caller),
    known.map(({ id, transports }) => ({ id, transports })),
  );
}

export async function requirePasskeyReauthentication(
  ctx: Context,
  caller: Session,
  passkeyResponse: PasskeyResponse,
  address: string,
): Promise<void> {
  const createdAt = await verifyPasskeyResponse(
    ctx,
    caller.account,
    reauthenticationPurpose(caller),
    passkeyResponse,
    address,
  );
  await liftRestrictionByPasskey(ctx, caller, createdAt);
}

export async function hasPasskey(ctx: Context, account: AccountId): Promise<boolean> {
  return (await ctx.shards.of(account).query((db) => listPasskeys(db, account))).length > 0;
}

export function relyingParty(ctx: Context): string {
  return new URL(ctx.origin).hostname;
}

export function mintChallenge(ctx: Context, purpose: string): { plain: Buffer<ArrayBuffer>; sealed: string } {
  const plain = randomBytes(32);
  const expiresAt = ctx.clock.now() + CHALLENGE_LIFETIME_MS;
  return { plain, sealed: ctx.sealer.seal(purpose, { challenge: plain.toString('base64url'), expiresAt }) };
}

export function requireChallenge(ctx: Context, purpose: string, sealed: string): Challenge {
  const challenge = Challenge.safeParse(ctx.sealer.open(purpose, sealed));
  if (!challenge.success || challenge.data.expiresAt < ctx.clock.now()) throw new AppError('passkey_refused');
  return challenge.data;
}

export function hashChallenge({ challenge }: Challenge): Buffer {
  return createHash('sha256').update(challenge).digest();
}

async function createPasskeyRequest(
  ctx: Context,
  purpose: string,
  allowCredentials?: { id: string; transports: string[] }[],
): Promise<PasskeyRequest> {
  const { plain, sealed } = mintChallenge(ctx, purpose);
  const options = await generateAuthenticationOptions({
    rpID: relyingParty(ctx),
    challenge: plain,
    timeout: CHALLENGE_LIFETIME_MS,
    userVerification: 'required',
    ...(allowCredentials && { allowCredentials }),
  });
  return { options: options as RequestOptions, challenge: sealed };
}

/** Returns when the passkey was created. */
async function verifyPasskeyResponse(
  ctx: Context,
  account: AccountId,
  purpose: string,
  { response, challenge: sealed }: PasskeyResponse,
  address: string,
): Promise<number> {
  await ctx.limits.charge(FAILED_ASSERTIONS, address);
  const challenge = requireChallenge(ctx, purpose, sealed);
  const passkey = await ctx.shards.of(account).query((db) => findPasskey(db, account, response.id));
  if (!passkey) throw new AppError('passkey_refused');
  const verified = await verifyAuthenticationResponse({
    response: { ...response, clientExtensionResults: {} } as Parameters<
      typeof verifyAuthenticationResponse
    >[0]['response'],
    expectedChallenge: challenge.challenge,
    expectedOrigin: [...ctx.origins],
    expectedRPID: relyingParty(ctx),
    credential: { id: response.id, publicKey: new Uint8Array(passkey.publicKey), counter: passkey.counter },
    requireUserVerification: true,
  }).catch(() => undefined);
  if (!verified?.verified) throw new AppError('passkey_refused');
  const now = ctx.clock.now();
  const { newCounter } = verified.authenticationInfo;
  const isFirst = await ctx.shards.write(account, async (db) => {
    const { expiresAt } = challenge;
    if (!(await consumeChallenge(db, account, hashChallenge(challenge), { now, expiresAt }))) return false;
    await setUsed(db, account, response.id, newCounter, now);
    return true;
  });
  if (!isFirst) throw new AppError('passkey_refused');
  await ctx.limits.refund(FAILED_ASSERTIONS, address);
  return passkey.createdAt;
}

function reauthenticationPurpose({ account, session }: Session): string {
  return `passkey prove ${account} ${session}`;
}

/** Creates, renames and removes passkeys. */
import { generateRegistrationOptions, verifyRegistrationResponse } from '@simplewebauthn/server';
import type { Wrap } from '@dostar/protocol/contract/accounts';
import { MAX_PASSKEYS } from '@dostar/protocol/contract/passkeys';
import type { CreationOptions, CreationResponse } from '@dostar/protocol/contract/passkeys';
import { AppError } from '@dostar/protocol/errors';
import type { AccountId } from '@dostar/protocol/ids';
import { productName } from '@dostar/protocol/product';
import type { Context } from '../../../context.ts';
import { toAccountBytes } from '../../../platform/security/account-bytes.ts';
import { consumeChallenge } from '../../../platform/security/used-challenges.ts';
import { findVerifiedEmail } from '../accounts/service.ts';
import { notifyAccountChange } from '../security-emails/service.ts';
import { insertWrap } from '../passwords/service.ts';
import { findRestriction, requireUnrestricted } from '../recovery/service.ts';
import type { Session } from '../sessions/service.ts';
import { CHALLENGE_LIFETIME_MS, hashChallenge, mintChallenge, relyingParty, requireChallenge } from './service.ts';
import { deletePasskey, deleteWrapOf, findPasskey, hasWraps, insertPasskey, listPasskeys, setName } from './store.ts';

/** EdDSA, ES256, RS256. The library's default has one that is experimental in Node. */
const ALGORITHMS = [-8, -7, -257];

export async function startPasskey(
  ctx: Context,
  caller: Session,
): Promise<{ options: CreationOptions; challenge: string }> {
  const { account } = caller;
  const known = await ctx.shards.of(account).query((db) => listPasskeys(db, account));
  if (known.length >= MAX_PASSKEYS) throw new AppError('too_many_passkeys');
  const { plain, sealed } = mintChallenge(ctx, purposeOf(caller));
  const userName = (await findVerifiedEmail(ctx, account)) ?? productName;
  const options = await generateRegistrationOptions({
    rpName: productName,
    rpID: relyingParty(ctx),
    userID: toAccountBytes(account),
    userName,
    userDisplayName: userName,
    challenge: plain,
    timeout: CHALLENGE_LIFETIME_MS,
    attestationType: 'none',
    supportedAlgorithmIDs: ALGORITHMS,
    excludeCredentials: known.map(({ id, transports }) => ({ id, transports })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
  return { options: options as CreationOptions, challenge: sealed };
}

interface NewPasskey {
  response: CreationResponse;
  challenge: string;
  name: string;
  wrap?: Wrap | undefined;
}

export async function finishPasskey(ctx: Context, caller: Session, made: NewPasskey): Promise<void> {
  const { account } = caller;
  const challenge = requireChallenge(ctx, purposeOf(caller), made.challenge);
  const { response, name, wrap } = made;
  if (wrap && (wrap.method !== 'passkey' || wrap.credential !== response.id)) throw new AppError('invalid_request');
  const verified = await verifyRegistrationResponse({
    response: { ...response, clientExtensionResults: {} } as Parameters<
      typeof verifyRegistrationResponse
    >[0]['response'],
    expectedChallenge: challenge.challenge,
    expectedOrigin: [...ctx.origins],
    expectedRPID: relyingParty(ctx),
    requireUserVerification: true,
    supportedAlgorithmIDs: ALGORITHMS,
  }).catch(() => undefined);
  if (!verified?.verified) throw new AppError('passkey_refused');
  const { id, publicKey, counter } = verified.registrationInfo.credential;
  const now = ctx.clock.now();
  await ctx.shards.write(account, async (db) => {
    const { expiresAt } = challenge;
    if (!(await consumeChallenge(db, account, hashChallenge(challenge), { now, expiresAt }))) {
      throw new AppError('passkey_refused');
    }
    if ((await listPasskeys(db, account)).length >= MAX_PASSKEYS) throw new AppError('too_many_passkeys');
    const transports = response.response.transports ?? [];
    await insertPasskey(db, { owner: account, id, publicKey, counter, transports, name, now });
    if (wrap) await insertWrap(db, account, wrap, now);
  });
  await notifyAccountChange(ctx, account, 'passkey-added');
}

export async function renamePasskey(ctx: Context, account: AccountId, id: string, name: string): Promise<void> {
  const isDone = await ctx.shards.write(account, (db) => setName(db, account, id, name));
  if (!isDone) throw new AppError('not_found');
}

export async function removePasskey(ctx: Context, caller: Session, id: string): Promise<void> {
  const { account } = caller;
  const wasThere = await ctx.shards.write(account, async (db) => {
    const passkey = await findPasskey(db, account, id);
    if (!passkey) return false;
    requireUnrestricted(await findRestriction(db, caller), passkey.createdAt);
    await deletePasskey(db, account, id);
    const hadWrap = await deleteWrapOf(db, account, id);
    if (hadWrap && !(await hasWraps(db, account))) throw new AppError('last_key');
    return true;
  });
  if (wasThere) await notifyAccountChange(ctx, account, 'passkey-removed');
}

function purposeOf({ account, session }: Session): string {
  return `passkey add ${account} ${session}`;
}

/**
 * Sign-in to `/v1` with the OpenID provider.
 *
 * Promise: an account is found by the identity at the provider, never by the email address. The owner of an account of the
 * product gets a `/v1` session of it. An account with second factors still has to give one.
 */
import type { Locale } from '@dostar/protocol/contract/accounts';
import { AccountId } from '@dostar/protocol/ids';
import { z } from 'zod';
import type { Context } from '../../context.ts';
import { AppwriteError } from '../errors.ts';
import { makeUniqueId } from '../../platform/postgres/unique-id.ts';
import { findAccountOf, isIncompleteAccount } from '../../features/identity/accounts/service.ts';
import { removeAccount } from '../../features/identity/use-cases/remove-account.ts';
import {
  createAppwriteAccount,
  describeAccount,
  markEmailVerified,
  requireAllowedAddress,
  requireSignUps,
  startAppwriteSession,
} from '../accounts/service.ts';
import type { StartedSession } from '../accounts/service.ts';
import {
  claimAppwriteIdentity,
  findAppwriteAccountById,
  findAppwriteAccountOf,
  proveAppwriteEmail,
  yieldAppwriteEmail,
} from '../ids/service.ts';
import { mintToken, redeemToken } from '../emails/service.ts';
import { AppwriteEmail } from '../params.ts';

export const FLOW_LIFETIME_MS = 15 * 60_000;
const FLOW = 'service google';
/** Google is one factor. Appwrite counts it as two and skips the second factor of an account; we do not. */
const FACTORS = ['oauth2'];

/** The state that the browser keeps, sealed, during the sign-in: another browser can't finish it. */
const Flow = z.object({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  success: z.string(),
  failure: z.string().optional(),
  /** A session in the browser's cookies, or a token for a page elsewhere to exchange for one. */
  gives: z.enum(['session', 'token']),
  expiresAt: z.number(),
});
export type Flow = z.infer<typeof Flow>;

export async function startFlow(
  ctx: Context,
  back: Pick<Flow, 'success' | 'failure' | 'gives'>,
  callback: string,
): Promise<{ url: string; sealed: string }> {
  if (!ctx.google) throw new AppwriteError('project_provider_disabled');
  const { url, flow } = await ctx.google.begin(callback).catch((error: unknown) => {
    ctx.log.warn({ reason: (error as Error).message }, 'the OpenID provider does not answer');
    throw new AppwriteError('general_service_unavailable', undefined, { cause: error });
  });
  const kept: Flow = { ...flow, ...back, expiresAt: ctx.clock.now() + FLOW_LIFETIME_MS };
  return { url, sealed: ctx.sealer.seal(FLOW, kept) };
}

/** Undefined unless it is a flow of this browser that has not expired. */
export function openFlow(ctx: Context, sealed: string | undefined): Flow | undefined {
  const flow = sealed === undefined ? undefined : Flow.safeParse(ctx.sealer.open(FLOW, sealed));
  return flow?.success && flow.data.expiresAt > ctx.clock.now() ? flow.data : undefined;
}

interface ProviderSignIn {
  account: AccountId;
  /** The factors that the sign-in has verified. */
  factors: string[];
  /** When the provider authenticated the person; 0 if it does not say, and after an exchange of a token. */
  provenAt: number;
}

export async function completeSignIn(ctx: Context, flow: Flow, answeredUrl: URL): Promise<ProviderSignIn> {
  const person = await ctx.google?.finish(answeredUrl, flow).catch((error: unknown) => {
    // The code, never the message, which may quote the answer.
    ctx.log.info({ reason: (error as { code?: string }).code ?? 'unknown' }, 'sign-in at the provider failed');
  });
  if (!person) throw new AppwriteError('user_oauth2_provider_error');
  const identity = { issuer: person.issuer, subject: person.subject };
  const verified = { factors: FACTORS, provenAt: person.authenticatedAt ?? 0 };
  const known = await findAppwriteAccountOf(ctx, identity);
  if (known !== undefined) return { account: known, ...verified };
  const ofProduct = await findAccountOf(ctx, identity);
  if (ofProduct !== undefined && !(await isIncompleteAccount(ctx, ofProduct)))
    return { account: ofProduct, ...verified };
  return { account: await createFor(ctx, identity, person.email), ...verified };
}

async function createFor(
  ctx: Context,
  identity: { issuer: string; subject: string },
  address: string | undefined,
): Promise<AccountId> {
  requireSignUps(ctx, 'google');
  const email = AppwriteEmail.safeParse(address);
  if (!email.success) throw new AppwriteError('user_oauth2_unauthorized');
  requireAllowedAddress(ctx, 'google', email.data);
  // An unverified owner of the address yields it to the verified one.
  await yieldAppwriteEmail(ctx, email.data);
  const wanted = { id: makeUniqueId(ctx.clock.now()), email: email.data, password: undefined, name: '' };
  const { owner } = await createAppwriteAccount(ctx, wanted);
  const account = owner as AccountId;
  const holder = await claimAppwriteIdentity(ctx, identity, account);
  if (holder !== account) {
    // Two parallel sign-ins of one person: the other was first.
    await removeAccount(ctx, account);
    throw new AppwriteError('user_already_exists');
  }
  await proveAppwriteEmail(ctx, account, email.data);
  await markEmailVerified(ctx, account, email.data);
  return account;
}

interface ClientInfo {
  client: string;
  locale: Locale;
}

export async function startGoogleSession(
  ctx: Context,
  { account, factors, provenAt }: ProviderSignIn,
  from: ClientInfo,
): Promise<StartedSession> {
  return startAppwriteSession(ctx, account, { provider: 'google', factors, provenAt, ...from });
}

/** For a page on another site, which can't use our cookies: it exchanges the token once, within the hour. */
export async function createToken(
  ctx: Context,
  { account, factors }: ProviderSignIn,
): Promise<{ userId: string; secret: string }> {
  const [{ $id: userId }, { secret }] = await Promise.all([
    describeAccount(ctx, account),
    mintToken(ctx, account, { purpose: 'oauth2', factors }),
  ]);
  return { userId, secret };
}

export async function exchangeToken(
  ctx: Context,
  { userId, secret }: { userId: string; secret: string },
  from: ClientInfo,
): Promise<StartedSession> {
  // An account of the product is known here by its account id.
  const account = (await findAppwriteAccountById(ctx, userId)) ?? AccountId.safeParse(userId).data;
  if (account === undefined) throw new AppwriteError('user_invalid_token');
  const { factors } = await redeemToken(ctx, account, 'oauth2', secret);
  return startGoogleSession(ctx, { account, factors, provenAt: 0 }, from);
}

/**
 * Sign-in with an OpenID provider.
 *
 * Promise: an account is found by the identity at the provider, never by the email address. If the address has an account,
 * its owner has to enter the password before the identity is linked.
 */
import { Email, Locale } from '@dostar/protocol/contract/accounts';
import { SignUpInvite } from '@dostar/protocol/contract/invite-tokens';
import { AppError } from '@dostar/protocol/errors';
import type { ErrorCode } from '@dostar/protocol/errors';
import type { AccountId } from '@dostar/protocol/ids';
import { z } from 'zod';
import type { Context } from '../../../context.ts';
import type { RateLimit } from '../../../platform/concurrency/rate-limits.ts';
import { claimIdentity, findAccountOf, findCompleteAccount, isIncompleteAccount } from '../accounts/service.ts';
import { admitSignUp, endSignUp, requireSignUp, startVerifiedSignUp } from '../sign-ups/service.ts';
import { removeAccount } from '../use-cases/remove-account.ts';
import { notifyAccountChange } from '../security-emails/service.ts';

export const FLOW_LIFETIME_MS = 15 * 60_000;
const FLOW = 'google';
const STARTS_PER_ADDRESS: RateLimit = { name: 'google-starts', points: 60, perSeconds: 900, scope: 'shared' };

/** The state that the browser keeps, encrypted, during the sign-in at the provider. */
const Flow = z.object({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  locale: Locale,
  next: z.string().optional(),
  invite: SignUpInvite.optional(),
  expiresAt: z.number(),
});
type Flow = z.infer<typeof Flow>;

interface Start {
  locale: Locale;
  next?: string | undefined;
  invite?: string | undefined;
}

export async function startFlow(ctx: Context, start: Start, returnUrl: string, address: string) {
  if (!ctx.google) throw new AppError('not_found');
  await ctx.limits.charge(STARTS_PER_ADDRESS, address);
  const { url, flow } = await ctx.google.begin(returnUrl).catch((error: unknown) => {
    ctx.log.warn({ reason: (error as Error).message }, 'the OpenID provider does not answer');
    throw new AppError('unavailable', undefined, { cause: error });
  });
  const kept: Flow = { ...flow, ...start, expiresAt: ctx.clock.now() + FLOW_LIFETIME_MS };
  return { url, sealed: ctx.sealer.seal(FLOW, kept) };
}

/** Undefined unless it is a flow of this browser that has not expired. */
export function openFlow(ctx: Context, sealed: string | undefined): Flow | undefined {
  const flow = sealed === undefined ? undefined : Flow.safeParse(ctx.sealer.open(FLOW, sealed));
  return flow?.success && flow.data.expiresAt > ctx.clock.now() ? flow.data : undefined;
}

const REFUSALS = new Set<ErrorCode>(['sign_ups_closed', 'invite_required', 'invite_gone', 'email_not_allowed']);

export type SignInOutcome =
  /** `provenAt`: when the provider authenticated the person; 0 if it does not say, which counts as no re-authentication. */
  | { kind: 'known'; account: AccountId; provenAt: number }
  | { kind: 'new'; ticket: string }
  /** The person refused, the provider did not answer, or the answer was not for us. */
  | { kind: 'failed' }
  /** The operator does not let this person sign up: the code that a sign-up by email gets. */
  | { kind: 'refused'; reason: ErrorCode }
  /** The provider has not verified the address. */
  | { kind: 'unconfirmed' };

export async function completeSignIn(ctx: Context, flow: Flow, answeredUrl: URL): Promise<SignInOutcome> {
  const person = await ctx.google?.finish(answeredUrl, flow).catch((error: unknown) => {
    // The code, never the message, which may quote the answer.
    ctx.log.info({ reason: (error as { code?: string }).code ?? 'unknown' }, 'sign-in at the provider failed');
  });
  if (!person) return { kind: 'failed' };
  const { issuer, subject } = person;
  const account = await findAccountOf(ctx, { issuer, subject });
  if (account !== undefined) {
    if (!(await isIncompleteAccount(ctx, account)))
      return { kind: 'known', account, provenAt: person.authenticatedAt ?? 0 };
    await removeAccount(ctx, account);
  }
  const email = Email.safeParse(person.email);
  if (!email.success) return { kind: 'unconfirmed' };
  const verified = { email: email.data, locale: flow.locale, identity: { issuer, subject } };
  // The owner of an account with this address signs in and links it, even if the server is closed.
  if ((await findCompleteAccount(ctx, email.data)) !== undefined)
    return { kind: 'new', ticket: await startVerifiedSignUp(ctx, { ...verified, isForLink: true }) };
  try {
    const invite = await admitSignUp(ctx, { email: email.data, invite: flow.invite });
    return { kind: 'new', ticket: await startVerifiedSignUp(ctx, { ...verified, invite }) };
  } catch (error) {
    if (error instanceof AppError && REFUSALS.has(error.code)) return { kind: 'refused', reason: error.code };
    throw error;
  }
}

/** Links the identity. The caller has just re-authenticated as the owner of the account. */
export async function linkIdentity(ctx: Context, ticket: string | undefined, account: AccountId): Promise<void> {
  const signUp = await requireSignUp(ctx, ticket);
  if (!signUp.identity) throw new AppError('no_sign_up');
  if (signUp.holder !== account) throw new AppError('forbidden');
  if (!(await claimIdentity(ctx, signUp.identity, account))) throw new AppError('forbidden');
  await endSignUp(ctx, signUp.ticket);
  await notifyAccountChange(ctx, account, 'google-linked');
}

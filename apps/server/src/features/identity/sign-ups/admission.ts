/**
 * Whether a person may make an account: what the operator decided, and the invite that lets them in all the same.
 *
 * Promise: the answer depends on the operator's decision, the address and the invite, never on whether the address has an
 * account. The invite is only found here; the end of the sign-up uses it.
 */
import type { SignUpMode } from '@dostar/protocol/contract/accounts';
import { OperatorInviteToken } from '@dostar/protocol/contract/invite-tokens';
import { AppError } from '@dostar/protocol/errors';
import type { AccountId } from '@dostar/protocol/ids';
import type { Context } from '../../../context.ts';
import type { RateLimit } from '../../../platform/concurrency/rate-limits.ts';
import { findOpenInvite } from '../../people/invites/service.ts';
import { isIncompleteAccount } from '../accounts/service.ts';
import { findDisabledAt } from '../sessions/service.ts';
import { findOperatorInvite } from '../sign-up-invites/service.ts';
import { findUsername } from '../usernames/service.ts';
import type { InviteOfSignUp } from './store.ts';

const INVITES_PER_ADDRESS: RateLimit = { name: 'sign-up-invites', points: 60, perSeconds: 3_600, scope: 'shared' };

interface FoundInvite extends InviteOfSignUp {
  /** The only address that it lets in; null for every address. */
  email: string | null;
}

/** Returns the invite that the sign-up needs; undefined where everyone may sign up. */
export async function admitSignUp(
  ctx: Context,
  { email, invite: token }: { email: string; invite?: string | undefined },
): Promise<InviteOfSignUp | undefined> {
  const { signUps } = ctx.policy;
  if (signUps !== 'open' && token === undefined) throw refusalOf(signUps);
  requireAllowedDomain(ctx, email);
  if (signUps === 'open' || token === undefined) return undefined;
  const invite = await findInvite(ctx, token);
  if (!invite) throw new AppError('invite_gone');
  if (invite.email !== null && invite.email !== email) throw new AppError('email_not_allowed');
  return { id: invite.id, inviter: invite.inviter };
}

/** For the page: what a sign-up needs, and who has invited the visitor. */
export async function describeSignUpPolicy(ctx: Context, token: string | undefined, address: string) {
  const { signUps: mode, signUpDomains: domains } = ctx.policy;
  if (token === undefined) return { mode, domains: [...domains], invite: null };
  await ctx.limits.charge(INVITES_PER_ADDRESS, address);
  const invite = await findInvite(ctx, token);
  const inviter = invite?.inviter ? ((await findUsername(ctx, invite.inviter)) ?? null) : null;
  return { mode, domains: [...domains], invite: invite ? { inviter } : null };
}

export function isAllowedDomain({ policy }: Context, email: string): boolean {
  const domain = email.slice(email.lastIndexOf('@') + 1);
  return policy.signUpDomains.length === 0 || policy.signUpDomains.includes(domain);
}

function requireAllowedDomain(ctx: Context, email: string): void {
  if (!isAllowedDomain(ctx, email)) throw new AppError('email_not_allowed');
}

function refusalOf(mode: Exclude<SignUpMode, 'open'>): AppError {
  return new AppError(mode === 'closed' ? 'sign_ups_closed' : 'invite_required');
}

async function findInvite(ctx: Context, token: string): Promise<FoundInvite | undefined> {
  if (OperatorInviteToken.safeParse(token).success) {
    const invite = await findOperatorInvite(ctx, token);
    return invite && { ...invite, inviter: null };
  }
  // A closed server lets in only people whom the operator has invited.
  if (ctx.policy.signUps === 'closed') return undefined;
  const invite = await findOpenInvite(ctx, token);
  if (!invite || !(await mayInvite(ctx, invite.owner))) return undefined;
  return { id: invite.id, inviter: invite.owner, email: null };
}

/** The links of a disabled account let no one in, nor do those of an account that may still be swept away. */
async function mayInvite(ctx: Context, account: AccountId): Promise<boolean> {
  if (await isIncompleteAccount(ctx, account)) return false;
  return (await findDisabledAt(ctx, account)) === undefined;
}

/** Who may make an account on `/v1`. It has no invites, and a sign-up with a password proves no address. */
import type { Context } from '../../context.ts';
import { isAllowedDomain } from '../../features/identity/sign-ups/service.ts';
import { AppwriteError } from '../errors.ts';

/** `key`: a program of the operator. */
type Way = 'password' | 'google' | 'key';

/** Before anything of the request is read. */
export function requireSignUps(ctx: Context, way: Way): void {
  const isOpen = way === 'key' || ctx.policy.signUps === 'open';
  if (!ctx.appwrite.signUp || !isOpen) throw new AppwriteError('user_auth_method_unsupported');
  // Any answer to a stranger would tell whether the address is free.
  if (way === 'password' && ctx.policy.hidesAccounts) throw new AppwriteError('user_auth_method_unsupported');
}

export function requireAllowedAddress(ctx: Context, way: Way, email: string): void {
  if (!isAllowedDomain(ctx, email)) throw new AppwriteError('user_email_not_whitelisted');
  // The address is only claimed: a stranger could make an account of the operator's domain.
  const isProven = way !== 'password' || ctx.policy.signUpDomains.length === 0;
  if (!isProven) throw new AppwriteError('user_auth_method_unsupported');
}

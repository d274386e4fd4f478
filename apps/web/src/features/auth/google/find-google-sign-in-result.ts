import type { AccountId } from '@dostar/protocol/ids';
import { hasPasskeySupport } from '../../../core/session/passkeys.ts';
import { loadGoogle } from '../load-auth.ts';

/** Result of a sign-in with Google, which decides the next step. */
export type GoogleSignInResult =
  | { kind: 'new'; account: AccountId; email: string }
  /** An account already has this email: its owner signs in, then both are linked. */
  | { kind: 'taken'; email: string }
  /** The user is signed in, but this browser cannot decrypt the messages yet. */
  | { kind: 'locked'; account: AccountId; hasPassword: boolean; hasPasskey: boolean }
  | { kind: 'open'; account: AccountId }
  /** The account requires a second factor first. */
  | { kind: 'pending' }
  | { kind: 'nothing' };

export async function findGoogleSignInResult(): Promise<GoogleSignInResult> {
  const google = await loadGoogle();
  const signUp = await google.findSignUp();
  if (signUp && !signUp.isTaken) return { kind: 'new', ...signUp };
  const account = await google.findAccount();
  // The owner of the existing account has just passed the second factor: only the link to Google is missing.
  const isLinked = !signUp || (account !== undefined && account !== 'factor_required' && (await google.link(account)));
  if (signUp && !isLinked) return { kind: 'taken', email: signUp.email };
  if (account === 'factor_required') return { kind: 'pending' };
  if (account === undefined) return { kind: 'nothing' };
  if (await google.isUnlocked(account)) return { kind: 'open', account };
  const methods = await google.listMethods(account);
  return {
    kind: 'locked',
    account,
    hasPassword: methods.includes('password'),
    hasPasskey: methods.includes('passkey') && hasPasskeySupport(),
  };
}

import type { AccountId } from '@dostar/protocol/ids';
import { hasPasskeySupport } from '../../../core/session/passkeys.ts';
import { loadGoogle } from '../load-auth.ts';

/** Who came back from Google, and what is still to be done. */
export type GoogleSignInResult =
  | { kind: 'new'; account: AccountId; email: string }
  /** An account has this address: its owner signs in, and the two are linked. */
  | { kind: 'taken'; email: string }
  /** Signed in, but this browser can't open their messages yet. */
  | { kind: 'locked'; account: AccountId; hasPassword: boolean; hasPasskey: boolean }
  | { kind: 'open'; account: AccountId }
  /** The account asks for a second factor first. */
  | { kind: 'pending' }
  | { kind: 'nothing' };

export async function findGoogleSignInResult(): Promise<GoogleSignInResult> {
  const google = await loadGoogle();
  const signUp = await google.findSignUp();
  if (signUp && !signUp.isTaken) return { kind: 'new', ...signUp };
  const account = await google.findAccount();
  // After the second factor of the account that has the address: nothing is left but to link the two.
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

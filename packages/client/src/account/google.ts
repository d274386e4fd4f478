/**
 * Sign-in with Google, without UI. Google identifies the user; the messages stay encrypted under a password that Google
 * never gets.
 */
import { recordSignUp } from '@dostar/protocol/contract/accounts';
import type { SignInResult } from '@dostar/protocol/contract/second-factors';
import * as google from '@dostar/protocol/contract/google';
import * as reauthentication from '@dostar/protocol/contract/reauthentication';
import { revokeCurrentSession, getSession } from '@dostar/protocol/contract/sessions';
import { AppError, type ErrorCode } from '@dostar/protocol/errors';
import type { AccountId } from '@dostar/protocol/ids';
import { fromBase64Url } from '../net/base64.ts';
import { type AuthDeps, completeSignUp, createAuth, KEY_BYTES, makeAccountKey } from './auth.ts';
import type { Authenticator } from './authenticator.ts';
import { createCall } from './call.ts';
import { createPasskeys } from './passkeys.ts';
import { hasAccountKey, unlockAccount } from './unlock.ts';

export interface GoogleSignUp {
  account: AccountId;
  email: string;
  /** An account has this email address already: its user signs in, and the account is linked to Google. */
  isTaken: boolean;
}

export interface GoogleAuth {
  /** The sign-up for which Google has confirmed the email address; it survives a reload. */
  findSignUp(): Promise<GoogleSignUp | undefined>;
  /** Registers the password and completes the sign-up. */
  completeSignUp(account: AccountId, password: string): Promise<AccountId>;
  /**
   * Completes the sign-up with a passkey instead of a password. `cancelled`: the person cancelled the browser's dialog.
   * `closed`: the passkey can sign in but unwraps no key, so a password is needed too.
   */
  completeWithPasskey(account: AccountId, name: string): Promise<'done' | 'cancelled' | 'closed'>;
  /** Signs in to the account with this email address and links it. If a second factor is owed, call `link` after it. */
  signInAndLink(email: string, password: string): Promise<SignInResult>;
  /** False if the account has another email address, or the session has no recent re-authentication. */
  link(account: AccountId): Promise<boolean>;
  /** The user whom Google has just signed in here. */
  findAccount(): Promise<AccountId | 'factor_required' | undefined>;
  /** Whether this browser has the account's key. */
  isUnlocked(account: AccountId): Promise<boolean>;
  /** How this account can be unlocked. */
  listMethods(account: AccountId): Promise<reauthentication.ReauthenticationMethod[]>;
  /** Undefined if the person cancelled the browser's dialog; false if the passkey unwraps no key. */
  unlockByPasskey(account: AccountId): Promise<boolean | undefined>;
  /** Throws `wrong_password`; false if the password is right but no longer unwraps the key. */
  unlock(account: AccountId, password: string): Promise<boolean>;
}

export function createGoogleAuth(deps: AuthDeps & { authenticator: Authenticator }): GoogleAuth {
  const call = createCall(deps);
  const passkeys = createPasskeys(deps);
  return {
    async findSignUp() {
      try {
        return await call(google.getGoogleSignUp, undefined);
      } catch (error) {
        if (isFailure(error, 'no_sign_up')) return undefined;
        throw error;
      }
    },

    async completeSignUp(account, password) {
      const { state, request } = await deps.opaque.startRegistration(password);
      const { response } = await call(google.startGooglePassword, { request });
      const { record, exportKey } = await deps.opaque.finishRegistration(password, state, response);
      const wrap = await makeAccountKey(deps, account, fromBase64Url(exportKey));
      await call(recordSignUp, { record, wrap });
      return completeSignUp(deps, call);
    },

    async completeWithPasskey(account, name) {
      const addPasskey = async (): Promise<'done' | 'cancelled' | 'closed'> => {
        const added = await passkeys.add(account, name);
        if (added?.unlocks) return 'done';
        // The user may still complete the account with a password in this form; otherwise the sweeper removes it.
        await call(revokeCurrentSession, undefined, account);
        return added ? 'closed' : 'cancelled';
      };
      await deps.keys.put(account, deps.random(KEY_BYTES));
      let outcome: 'done' | 'cancelled' | 'closed' = 'cancelled';
      await completeSignUp(deps, call, async () => (outcome = await addPasskey()) === 'done');
      return outcome;
    },

    async signInAndLink(email, password) {
      const signedIn = await createAuth(deps).signIn(email, password);
      if (signedIn.owes.length === 0) await call(google.linkGoogle, {}, signedIn.account);
      return signedIn;
    },

    async link(account) {
      try {
        await call(google.linkGoogle, {}, account);
        return true;
      } catch (error) {
        if (isFailure(error, 'forbidden', 'reauthenticate')) return false;
        throw error;
      }
    },

    async findAccount() {
      try {
        return (await call(getSession, undefined)).account;
      } catch (error) {
        if (isFailure(error, 'factor_required')) return 'factor_required';
        if (isFailure(error, 'unauthenticated')) return undefined;
        throw error;
      }
    },

    async isUnlocked(account) {
      return hasAccountKey(deps.keys, account);
    },

    async listMethods(account) {
      return (await call(reauthentication.listReauthenticationMethods, undefined, account)).methods;
    },

    async unlockByPasskey(account) {
      const { options, challenge } = await call(reauthentication.startPasskeyReauthentication, {}, account);
      const got = await deps.authenticator.get(options);
      if (!got) return undefined;
      await call(reauthentication.finishPasskeyReauthentication, { challenge, response: got.response }, account);
      return (
        got.derived !== undefined && unlockAccount({ keys: deps.keys, call, account }, got.derived, got.response.id)
      );
    },

    async unlock(account, password) {
      const { state, request } = await deps.opaque.startLogin(password);
      const { response, login } = await call(reauthentication.startPasswordReauthentication, { request }, account);
      const proof = await deps.opaque.finishLogin(password, state, response);
      if (!proof) throw new AppError('wrong_password');
      await call(reauthentication.finishPasswordReauthentication, { login, finish: proof.finish }, account);
      return unlockAccount({ keys: deps.keys, call, account }, fromBase64Url(proof.exportKey));
    },
  };
}

function isFailure(error: unknown, ...codes: ErrorCode[]): boolean {
  return error instanceof AppError && codes.includes(error.code);
}

/**
 * Sign-up, sign-in and sign-out, without a screen.
 *
 * The password is used here and forgotten; the server never sees it. What it unlocks, the account key, is handed to the
 * caller's `keep`, which holds it under a key that can't be exported.
 */
import * as accounts from '@dostar/protocol/contract/accounts';
import type { SignInResult } from '@dostar/protocol/contract/second-factors';
import * as passwords from '@dostar/protocol/contract/passwords';
import * as sessions from '@dostar/protocol/contract/sessions';
import * as users from '@dostar/protocol/contract/users';
import { AppError } from '@dostar/protocol/errors';
import type { AccountId } from '@dostar/protocol/ids';
import type { ClientDeps } from '../deps.ts';
import { fromBase64Url } from '../net/base64.ts';
import { wrapAccountKey } from './account-key.ts';
import { type Call, type CallDeps, createCall } from './call.ts';
import { CodeNotSent } from './code-not-sent.ts';
import type { OpaqueClient } from './opaque.ts';
import type { KeyStore } from './key-store.ts';
import { unlockAccount } from './unlock.ts';

export const KEY_BYTES = 32;

export interface AuthDeps extends CallDeps, Pick<ClientDeps, 'log'> {
  random: (size: number) => Uint8Array<ArrayBuffer>;
  opaque: OpaqueClient;
  keys: KeyStore;
}

export interface SignUpForm {
  email: string;
  password: string;
  locale: accounts.Locale;
  /** The token of an invite, which some servers ask for. */
  invite?: string | undefined;
}

export interface Auth {
  /** Registers the password, stores the account key and requests the code. Returns when the next may be requested. */
  beginSignUp(form: SignUpForm): Promise<number>;
  /** The unfinished sign-up of this browser; it survives a reload. */
  findSignUp(): Promise<{ email: string; resendAt: number; isVerified: boolean } | undefined>;
  resendCode(email: string): Promise<number>;
  /** Checks the code, then runs the five steps of completion; if one fails, the new account is deleted. */
  confirmSignUp(email: string, code: string): Promise<AccountId>;
  /** Runs the five steps after a tab was closed between the correct code and their end. */
  resumeSignUp(): Promise<AccountId>;
  /** Signs in. The account stays closed while the result names second factors in `owes`. */
  signIn(email: string, password: string): Promise<SignInResult>;
  signOut(account: AccountId): Promise<void>;
}

export function createAuth(deps: AuthDeps): Auth {
  const call = createCall(deps);

  return {
    async beginSignUp({ email, password, locale, invite }) {
      const { state, request } = await deps.opaque.startRegistration(password);
      const { account, response } = await call(accounts.startSignUp, { email, locale, request, invite });
      const { record, exportKey } = await deps.opaque.finishRegistration(password, state, response);
      const wrap = await makeAccountKey(deps, account, fromBase64Url(exportKey));
      await call(accounts.recordSignUp, { record, wrap });
      return sendCode(deps, call, email);
    },

    async findSignUp() {
      try {
        return await call(accounts.getSignUp, undefined);
      } catch (error) {
        if (error instanceof AppError && error.code === 'no_sign_up') return undefined;
        throw error;
      }
    },

    resendCode: (email) => sendCode(deps, call, email),

    async confirmSignUp(email, code) {
      await call(accounts.verifyCode, { email, code });
      return completeSignUp(deps, call);
    },

    resumeSignUp: () => completeSignUp(deps, call),

    async signIn(email, password) {
      const { state, request } = await deps.opaque.startLogin(password);
      const { response, login } = await call(passwords.startLogin, { email, request });
      const proof = await deps.opaque.finishLogin(password, state, response);
      if (!proof) throw new AppError('wrong_password');
      const signedIn = await call(passwords.finishLogin, { login, finish: proof.finish });
      const secret = fromBase64Url(proof.exportKey);
      if (signedIn.owes.length > 0) await deps.keys.storePendingSecret(signedIn.account, secret);
      else await unlockAccount({ keys: deps.keys, call, account: signedIn.account }, secret);
      return signedIn;
    },

    async signOut(account) {
      await deps.keys.delete(account);
      await call(sessions.revokeCurrentSession, undefined, account);
    },
  };
}

async function sendCode({ log }: AuthDeps, call: Call, email: string): Promise<number> {
  try {
    return (await call(accounts.sendCode, { email })).resendAt;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    log('Failed to send code', { error: error.code });
    throw new CodeNotSent(error.code, error.details, { cause: error });
  }
}

/** Makes and stores a new account's key, and wraps it under what the password derives. */
export async function makeAccountKey(
  { keys, random }: AuthDeps,
  account: AccountId,
  secret: Uint8Array<ArrayBuffer>,
): Promise<accounts.Wrap> {
  const accountKey = random(KEY_BYTES);
  const wrap = await wrapAccountKey(accountKey, secret, { account, method: 'password', random });
  await keys.put(account, accountKey);
  return wrap;
}

/**
 * Completes a sign-up, in the order of the specification. `goOn`, called once signed in, may stop before the last
 * steps.
 */
export async function completeSignUp(
  deps: AuthDeps,
  call: Call,
  goOn: () => Promise<boolean> = async () => true,
): Promise<AccountId> {
  const { userId } = await call(accounts.createAccount, {});
  try {
    await call(accounts.verifyUser, { userId });
    await call(accounts.startFirstSession, {});
    if (!(await goOn())) return userId;
    await call(users.storeUser, { userId });
    await call(users.updateUser, { documentId: userId, data: {} });
    return userId;
  } catch (error) {
    deps.log('sign-up step failed', { error });
    await call(accounts.deleteUser, { userId }).catch((cause: unknown) => deps.log('account not deleted', { cause }));
    throw error;
  }
}

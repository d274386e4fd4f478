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
}

export interface Auth {
  /** Registers the password, keeps the account key here and asks for the code. When the next code may be asked for. */
  beginSignUp(form: SignUpForm): Promise<number>;
  /** The sign-up this browser has under way, also after a reload. */
  findSignUp(): Promise<{ email: string; resendAt: number; isVerified: boolean } | undefined>;
  resendCode(email: string): Promise<number>;
  /** The code, then the five steps; if one fails, the account that was made is deleted. */
  confirmSignUp(email: string, code: string): Promise<AccountId>;
  /** The steps alone: the code was right, and the tab was lost before they were done. */
  resumeSignUp(): Promise<AccountId>;
  /** Signed in, or waiting for one of `owes`. */
  signIn(email: string, password: string): Promise<SignInResult>;
  signOut(account: AccountId): Promise<void>;
}

export function createAuth(deps: AuthDeps): Auth {
  const call = createCall(deps);

  return {
    async beginSignUp({ email, password, locale }) {
      const { state, request } = await deps.opaque.startRegistration(password);
      const { account, response } = await call(accounts.startSignUp, { email, locale, request });
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

/** A new account's key: kept here, and wrapped by what its password derives. */
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

/** The steps of completion, in the order the product names them. Once signed in, `goOn` may leave the rest undone. */
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

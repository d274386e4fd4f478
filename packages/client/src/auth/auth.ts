/**
 * In and out of an account, without a screen.
 *
 * The password is used here and forgotten; the server never sees it. What it unlocks, the account key, is handed to the
 * caller's `keep`, which holds it under a key that can't be exported.
 */
import * as accounts from '@dostar/protocol/contract/accounts';
import * as passwords from '@dostar/protocol/contract/passwords';
import * as sessions from '@dostar/protocol/contract/sessions';
import * as users from '@dostar/protocol/contract/users';
import { AppError } from '@dostar/protocol/errors';
import type { AccountId } from '@dostar/protocol/ids';
import { type ClientDeps, systemClock } from '../deps.ts';
import { fromBase64Url } from '../net/base64.ts';
import { callEndpoint } from '../net/http.ts';
import { unwrapAccountKey, wrapAccountKey } from './account-key.ts';
import type { OpaqueClient } from './opaque.ts';

const KEY_BYTES = 32;

export interface KeyKeeper {
  put(account: AccountId, accountKey: Uint8Array<ArrayBuffer>): Promise<void>;
  get(account: AccountId): Promise<Uint8Array<ArrayBuffer> | undefined>;
  delete(account: AccountId): Promise<void>;
}

export interface AuthDeps extends Pick<ClientDeps, 'baseUrl' | 'fetch' | 'log'> {
  clock?: ClientDeps['clock'];
  random: (size: number) => Uint8Array<ArrayBuffer>;
  opaque: OpaqueClient;
  keys: KeyKeeper;
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
  signIn(email: string, password: string): Promise<AccountId>;
  signOut(account: AccountId): Promise<void>;
}

export function createAuth(deps: AuthDeps): Auth {
  const never = new AbortController().signal;
  const call: Call = (endpoint, body) => callEndpoint({ clock: systemClock, ...deps }, endpoint, body, never);

  return {
    async beginSignUp({ email, password, locale }) {
      const { state, request } = await deps.opaque.startRegistration(password);
      const { account, response } = await call(accounts.startSignUp, { email, locale, request });
      const { record, exportKey } = await deps.opaque.finishRegistration(password, state, response);
      const accountKey = deps.random(KEY_BYTES);
      const secret = fromBase64Url(exportKey);
      const wrap = await wrapAccountKey(accountKey, secret, { account, method: 'password', random: deps.random });
      await deps.keys.put(account, accountKey);
      await call(accounts.recordSignUp, { record, wrap });
      return (await call(accounts.sendCode, { email })).resendAt;
    },

    async findSignUp() {
      try {
        return await call(accounts.getSignUp, undefined);
      } catch (error) {
        if (error instanceof AppError && error.code === 'no_sign_up') return undefined;
        throw error;
      }
    },

    async resendCode(email) {
      return (await call(accounts.sendCode, { email })).resendAt;
    },

    async confirmSignUp(email, code) {
      await call(accounts.verifyCode, { email, code });
      return completeSignUp(deps, call);
    },

    async signIn(email, password) {
      const { state, request } = await deps.opaque.startLogin(password);
      const { response, login } = await call(passwords.startLogin, { email, request });
      const proof = await deps.opaque.finishLogin(password, state, response);
      if (!proof) throw new AppError('wrong_password');
      const { account } = await call(passwords.finishLogin, { login, finish: proof.finish });
      await unlock(deps, call, account, fromBase64Url(proof.exportKey));
      return account;
    },

    async signOut(account) {
      await deps.keys.delete(account);
      await call(sessions.endSession, undefined);
    },
  };
}

type Call = <E extends Parameters<typeof callEndpoint>[1]>(
  endpoint: E,
  body: Parameters<typeof callEndpoint<E>>[2],
) => ReturnType<typeof callEndpoint<E>>;

/** The steps of completion, in the order the product names them. */
async function completeSignUp(deps: AuthDeps, call: Call): Promise<AccountId> {
  const { userId } = await call(accounts.createAccount, {});
  try {
    await call(accounts.verifyUser, { userId });
    await call(accounts.enterAccount, {});
    await call(users.storeUser, { userId });
    await call(users.updateUser, { documentId: userId, data: {} });
    return userId;
  } catch (error) {
    deps.log('sign-up step failed', { error });
    await call(accounts.deleteUser, { userId }).catch((cause: unknown) => deps.log('account not deleted', { cause }));
    throw error;
  }
}

/** Opens the account key with what the password derived. A wrap that does not open is stale: recovery leads on from there. */
async function unlock(deps: AuthDeps, call: Call, account: AccountId, secret: Uint8Array<ArrayBuffer>): Promise<void> {
  const { wraps } = await call(passwords.listWraps, undefined);
  const wrap = wraps.find(({ method }) => method === 'password');
  const accountKey = wrap && (await unwrapAccountKey(wrap, secret, account));
  if (accountKey) await deps.keys.put(account, accountKey);
}

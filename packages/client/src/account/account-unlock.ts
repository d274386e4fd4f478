/**
 * Ways to recover the account key, without UI: after a password reset by email, this device is signed in but locked.
 *
 * Every way ends in `settle`, which stores the key here and wraps it under the current password, so that the next
 * device needs only the password.
 */
import type { Wrap } from '@dostar/protocol/contract/accounts';
import { startPasskeyLogin } from '@dostar/protocol/contract/passkeys';
import * as reauthentication from '@dostar/protocol/contract/reauthentication';
import * as contract from '@dostar/protocol/contract/account-unlock';
import { AppError } from '@dostar/protocol/errors';
import type { AccountId } from '@dostar/protocol/ids';
import { fromBase64Url } from '../net/base64.ts';
import { unwrapAccountKey, wrapAccountKey } from './account-key.ts';
import type { AuthDeps } from './auth.ts';
import type { Authenticator } from './authenticator.ts';
import { type Call, createCall } from './call.ts';
import { decodePendingSecret } from './pending-secret.ts';
import { readRecoveryKey, writeRecoveryKey } from './recovery-key.ts';

const KEY_BYTES = 32;

type Bytes = Uint8Array<ArrayBuffer>;

/** What can open the account key. */
export interface UnlockMethods {
  oldPasswordUntil: number | undefined;
  hasRecoveryKey: boolean;
  hasPasskey: boolean;
  /** The sign-in password also unwraps the account key, so nothing else is needed. */
  hasPassword: boolean;
}

/**
 * `password`: the key is stored here; the person enters the password once more, so that the key can be wrapped under
 * it.
 */
export type UnlockResult = 'done' | 'password';

export interface AccountUnlock {
  isOpen(account: AccountId): Promise<boolean>;
  listWays(): Promise<UnlockMethods>;
  /** The password that signs in. Throws `wrong_password`; false if it does not open the key. */
  openWithPassword(account: AccountId, password: string): Promise<boolean>;
  /** The password before the reset. Throws `wrong_password`. */
  openWithOldPassword(account: AccountId, password: string): Promise<UnlockResult>;
  /** Throws `invalid_request` for a mistyped key, `forbidden` for one that is not this account's. */
  openWithRecoveryKey(account: AccountId, typed: string): Promise<UnlockResult>;
  /** Undefined if the person cancelled the browser's dialog; throws `forbidden` for a passkey that unwraps no key. */
  openWithPasskey(account: AccountId): Promise<UnlockResult | undefined>;
  /** With the key that this device has stored; undefined if it has none. */
  settleKept(account: AccountId): Promise<UnlockResult | undefined>;
  /** With a key from another device or a passkey. */
  settle(account: AccountId, accountKey: Bytes): Promise<UnlockResult>;
  /** The last step after `password`. Throws `wrong_password`. */
  bindPassword(account: AccountId, password: string): Promise<void>;
  /**
   * Makes a new account key. The server archives the old data, and the vault starts empty. The next client that opens
   * both makes a new identity, backup and dehydrated device.
   */
  startFresh(account: AccountId, password: string): Promise<void>;
  /** Restores the old password and ends the sessions since the reset. Throws `wrong_password`. */
  lock(oldPassword: string): Promise<void>;
  /** Returns the new recovery key, which is shown only once. It replaces the previous one. */
  makeRecoveryKey(account: AccountId): Promise<string>;
  /** Throws `invalid_request` for a mistyped key. */
  isRecoveryKey(account: AccountId, typed: string): Promise<boolean>;
}

export interface AccountUnlockDeps extends AuthDeps {
  authenticator: Authenticator;
}

export function createAccountUnlock(deps: AccountUnlockDeps): AccountUnlock {
  const { keys, random } = deps;
  const call = createCall(deps);

  async function settle(account: AccountId, accountKey: Bytes): Promise<UnlockResult> {
    await keys.put(account, accountKey);
    const { wraps, passwordSince } = await call(contract.getUnlockOptions, undefined);
    if (passwordSince === null || wraps.some(({ method }) => method === 'password')) return 'done';
    const pending = decodePendingSecret(await keys.takePendingSecret(account));
    if (pending?.passwordSince !== passwordSince) return 'password';
    await putWrap(account, accountKey, pending.secret, passwordSince);
    return 'done';
  }

  async function putWrap(account: AccountId, accountKey: Bytes, secret: Bytes, passwordSince: number): Promise<void> {
    const wrap = await wrapAccountKey(accountKey, secret, { account, method: 'password', random });
    await call(contract.putPasswordWrap, { wrap, passwordSince });
  }

  async function requireKey(account: AccountId): Promise<Bytes> {
    const accountKey = await keys.get(account);
    if (accountKey === undefined) throw new AppError('forbidden');
    return accountKey;
  }

  return {
    settle,
    async settleKept(account) {
      const accountKey = await keys.get(account);
      return accountKey && settle(account, accountKey);
    },
    async isOpen(account) {
      return (await keys.get(account)) !== undefined;
    },
    async listWays() {
      const { wraps, oldPasswordUntil } = await call(contract.getUnlockOptions, undefined);
      const has = (method: Wrap['method']): boolean => wraps.some((wrap) => wrap.method === method);
      return {
        oldPasswordUntil: oldPasswordUntil ?? undefined,
        hasRecoveryKey: has('recovery'),
        hasPasskey: has('passkey'),
        hasPassword: has('password'),
      };
    },
    async openWithPassword(account, password) {
      const secret = await proveByPassword(deps, call, password);
      const { wraps } = await call(contract.getUnlockOptions, undefined);
      const wrap = wraps.find(({ method }) => method === 'password');
      const accountKey = wrap && (await unwrapAccountKey(wrap, secret, account));
      if (accountKey) await keys.put(account, accountKey);
      return accountKey !== undefined;
    },
    async openWithOldPassword(account, password) {
      const { secret, proof } = await proveOldPassword(deps, call, password);
      const { wrap } = await call(contract.openOldPasswordWrap, proof);
      const accountKey = await unwrapAccountKey(wrap, secret, account);
      if (!accountKey) throw new AppError('wrong_password');
      return settle(account, accountKey);
    },
    async openWithRecoveryKey(account, typed) {
      const accountKey = await tryRecoveryKey(call, account, typed);
      if (!accountKey) throw new AppError('forbidden');
      return settle(account, accountKey);
    },
    async openWithPasskey(account) {
      const { wraps } = await call(contract.getUnlockOptions, undefined);
      const allowCredentials = wraps.flatMap(({ credential }) =>
        credential === undefined ? [] : [{ id: credential, type: 'public-key' as const }],
      );
      // Only the derived key is needed: the assertion is not sent.
      const { options } = await call(startPasskeyLogin, {});
      const got = await deps.authenticator.get({ ...options, allowCredentials });
      if (!got) return undefined;
      const wrap = wraps.find(({ credential }) => credential === got.response.id);
      const accountKey = wrap && got.derived && (await unwrapAccountKey(wrap, got.derived, account));
      if (!accountKey) throw new AppError('forbidden');
      return settle(account, accountKey);
    },
    async bindPassword(account, password) {
      const accountKey = await requireKey(account);
      const { passwordSince } = await call(contract.getUnlockOptions, undefined);
      const secret = await proveByPassword(deps, call, password);
      if (passwordSince !== null) await putWrap(account, accountKey, secret, passwordSince);
    },
    async startFresh(account, password) {
      const { passwordSince } = await call(contract.getUnlockOptions, undefined);
      const secret = await proveByPassword(deps, call, password);
      if (passwordSince === null) throw new AppError('stale_password');
      const accountKey = random(KEY_BYTES);
      const wrap = await wrapAccountKey(accountKey, secret, { account, method: 'password', random });
      await call(contract.startFresh, { wrap, passwordSince });
      await keys.put(account, accountKey);
    },
    async lock(oldPassword) {
      const { proof } = await proveOldPassword(deps, call, oldPassword);
      await call(contract.lockAccount, proof);
    },
    async makeRecoveryKey(account) {
      const accountKey = await requireKey(account);
      const recoveryKey = random(KEY_BYTES);
      const wrap = await wrapAccountKey(accountKey, recoveryKey, { account, method: 'recovery', random });
      await call(contract.putRecoveryWrap, { wrap });
      return writeRecoveryKey(recoveryKey);
    },
    async isRecoveryKey(account, typed) {
      return (await tryRecoveryKey(call, account, typed)) !== undefined;
    },
  };
}

async function tryRecoveryKey(call: Call, account: AccountId, typed: string): Promise<Bytes | undefined> {
  const recoveryKey = await readRecoveryKey(typed);
  if (!recoveryKey) throw new AppError('invalid_request');
  const { wraps } = await call(contract.getUnlockOptions, undefined);
  const wrap = wraps.find(({ method }) => method === 'recovery');
  return wrap && unwrapAccountKey(wrap, recoveryKey, account);
}

/** Returns what the sign-in password derives. The session then counts as freshly re-authenticated. */
export async function proveByPassword(deps: AuthDeps, call: Call, password: string): Promise<Bytes> {
  const { state, request } = await deps.opaque.startLogin(password);
  const { response, login } = await call(reauthentication.startPasswordReauthentication, { request });
  const proof = await deps.opaque.finishLogin(password, state, response);
  if (!proof) throw new AppError('wrong_password');
  await call(reauthentication.finishPasswordReauthentication, { login, finish: proof.finish });
  return fromBase64Url(proof.exportKey);
}

async function proveOldPassword(deps: AuthDeps, call: Call, password: string) {
  const { state, request } = await deps.opaque.startLogin(password);
  const { response, login } = await call(contract.startOldPasswordCheck, { request });
  const proof = await deps.opaque.finishLogin(password, state, response);
  if (!proof) throw new AppError('wrong_password');
  return { secret: fromBase64Url(proof.exportKey), proof: { login, finish: proof.finish } };
}

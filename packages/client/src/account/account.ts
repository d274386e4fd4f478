/** Account management, without UI: password, email, devices, alerts, deletion. */
import { deleteUser, type Locale } from '@dostar/protocol/contract/accounts';
import * as emails from '@dostar/protocol/contract/emails';
import * as alerts from '@dostar/protocol/contract/account-alerts';
import * as passwords from '@dostar/protocol/contract/passwords';
import * as sessions from '@dostar/protocol/contract/sessions';
import { getUnlockOptions } from '@dostar/protocol/contract/account-unlock';
import { AppError } from '@dostar/protocol/errors';
import type { AccountId } from '@dostar/protocol/ids';
import type { z } from 'zod';
import { fromBase64Url } from '../net/base64.ts';
import { unwrapAccountKey, wrapAccountKey } from './account-key.ts';
import { type AuthDeps, KEY_BYTES } from './auth.ts';
import { createCall } from './call.ts';
import { resealVaults } from '../vault/reseal.ts';
import { proveByPassword } from './account-unlock.ts';

export type AccountAlerts = z.infer<typeof alerts.getAccountAlerts.reply>;
export type DeviceList = z.infer<typeof sessions.listSessions.reply>['sessions'];
export type EmailState = z.infer<typeof emails.getEmail.reply>;

export interface PasswordChange {
  account: AccountId;
  old: string;
  next: string;
  /** Signs the other devices out. */
  endOthers: boolean;
  /**
   * An attacker may know the old password, and with it the account key. So the account key is replaced, other wraps are
   * deleted, other sessions end, and the client makes a new backup. The identity that contacts see stays.
   */
  isLeaked?: boolean;
}

export interface AccountSettings {
  /** Throws `wrong_password`; `forbidden` while the account is locked, since there is no key to wrap. */
  changePassword(change: PasswordChange): Promise<void>;
  getEmail(): Promise<EmailState>;
  startEmailChange(email: string, locale: Locale): Promise<void>;
  cancelEmailChange(): Promise<void>;
  listDevices(): Promise<DeviceList>;
  /** Signs out the device of this session; without an id, all devices but this one. */
  endDevices(session?: string): Promise<void>;
  getAccountAlerts(): Promise<AccountAlerts>;
  dismissAccountAlerts(upTo: number): Promise<void>;
  deleteAccount(account: AccountId): Promise<void>;
}

export function createAccountSettings(deps: AuthDeps): AccountSettings {
  const call = createCall(deps);
  return {
    async changePassword({ account, old, next, endOthers, isLeaked = false }) {
      const secret = await proveByPassword(deps, call, old);
      const { wraps } = await call(getUnlockOptions, undefined);
      const wrap = wraps.find(({ method }) => method === 'password');
      const accountKey = (wrap && (await unwrapAccountKey(wrap, secret, account))) ?? (await deps.keys.get(account));
      if (!accountKey) throw new AppError('forbidden');
      const { state, request } = await deps.opaque.startRegistration(next);
      const { response, setup } = await call(passwords.startPasswordChange, { request });
      const { record, exportKey } = await deps.opaque.finishRegistration(next, state, response);
      const { random } = deps;
      const nextKey = isLeaked ? random(KEY_BYTES) : accountKey;
      const nextWrap = await wrapAccountKey(nextKey, fromBase64Url(exportKey), { account, method: 'password', random });
      const renewal = isLeaked
        ? { vaults: await resealVaults({ account, call, random }, accountKey, nextKey) }
        : undefined;
      const setupField = setup === undefined ? {} : { setup };
      const change = { record, ...setupField, wrap: nextWrap, endOthers, ...(renewal && { renewal }) };
      await call(passwords.finishPasswordChange, change);
      if (isLeaked) await deps.keys.put(account, nextKey);
    },
    getEmail: () => call(emails.getEmail, undefined),
    async startEmailChange(email, locale) {
      await call(emails.startEmailChange, { email, locale });
    },
    async cancelEmailChange() {
      await call(emails.cancelEmailChange, {});
    },
    async listDevices() {
      return (await call(sessions.listSessions, undefined)).sessions;
    },
    async endDevices(session) {
      await call(sessions.revokeSessions, session === undefined ? {} : { session });
    },
    getAccountAlerts: () => call(alerts.getAccountAlerts, undefined),
    async dismissAccountAlerts(upTo) {
      await call(alerts.dismissAccountAlerts, { upTo });
    },
    async deleteAccount(account) {
      await call(deleteUser, { userId: account });
      await deps.keys.delete(account);
    },
  };
}

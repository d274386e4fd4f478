/** Second factors, without UI: the step after the password, and setting them up. */
import type { Locale } from '@dostar/protocol/contract/accounts';
import * as contract from '@dostar/protocol/contract/second-factors';
import { revokeCurrentSession } from '@dostar/protocol/contract/sessions';
import type { AccountId } from '@dostar/protocol/ids';
import type { z } from 'zod';
import type { KeyStore } from './key-store.ts';
import { type CallDeps, createCall } from './call.ts';
import { unlockAccount } from './unlock.ts';

export type FactorList = z.infer<typeof contract.listFactors.reply>;

export interface Factors {
  list(): Promise<FactorList>;
  /** Sends the code of the second step. Returns when the next one may be requested. */
  sendCode(kind: 'email' | 'phone', locale: Locale): Promise<number>;
  /** Completes the second step, and opens the account as a sign-in without one does. */
  give(kind: contract.SecondStep, code: string): Promise<AccountId>;
  /** Ends the waiting sign-in. */
  giveUp(): Promise<void>;
  startTotp(): Promise<{ secret: string; uri: string }>;
  /** Returns when the next code may be requested. */
  startEmail(locale: Locale): Promise<number>;
  startPhone(number: string, locale: Locale): Promise<number>;
  /** Returns the recovery codes if these are the first ones; they are shown only once. */
  confirm(kind: contract.FactorKind, code: string): Promise<string[] | null>;
  remove(kind: contract.FactorKind): Promise<void>;
  renewRecoveryCodes(): Promise<string[]>;
}

export function createFactors({ keys, ...deps }: CallDeps & { keys: KeyStore }): Factors {
  const call = createCall(deps);
  return {
    list: () => call(contract.listFactors, undefined),
    async sendCode(kind, locale) {
      return (await call(contract.sendFactorCode, { kind, locale })).resendAt;
    },
    async give(kind, code) {
      const { account } = await call(contract.verifyFactor, { kind, code });
      const secret = await keys.takePendingSecret(account);
      if (secret) await unlockAccount({ keys, call, account }, secret);
      return account;
    },
    async giveUp() {
      await call(revokeCurrentSession, undefined);
    },
    startTotp: () => call(contract.startTotp, {}),
    async startEmail(locale) {
      return (await call(contract.startCodeFactor, { kind: 'email', locale })).resendAt;
    },
    async startPhone(number, locale) {
      return (await call(contract.startCodeFactor, { kind: 'phone', number, locale })).resendAt;
    },
    async confirm(kind, code) {
      return (await call(contract.confirmFactor, { kind, code })).recoveryCodes;
    },
    async remove(kind) {
      await call(contract.removeFactor, { kind });
    },
    async renewRecoveryCodes() {
      return (await call(contract.renewRecoveryCodes, {})).recoveryCodes;
    },
  };
}

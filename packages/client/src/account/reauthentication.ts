/** Re-authentication, without UI. */
import type { Locale } from '@dostar/protocol/contract/accounts';
import type { SecondStep } from '@dostar/protocol/contract/second-factors';
import * as contract from '@dostar/protocol/contract/reauthentication';
import { AppError } from '@dostar/protocol/errors';
import type { Authenticator } from './authenticator.ts';
import { type CallDeps, createCall } from './call.ts';
import type { OpaqueClient } from './opaque.ts';

type ReauthenticationDeps = CallDeps & { opaque: OpaqueClient; authenticator: Authenticator };

export interface Reauthentication {
  /** `owes`: the first factor has just been given, and one of these second factors completes the re-authentication. */
  listMethods(): Promise<{ methods: contract.ReauthenticationMethod[]; owes: SecondStep[] }>;
  /** Returns the second factors that may complete it; empty if none is needed. Throws `wrong_password`. */
  proveByPassword(password: string): Promise<SecondStep[]>;
  /** False if the person cancelled the browser's dialog. */
  proveByPasskey(): Promise<boolean>;
  /** Returns when the next code may be requested. */
  sendCode(locale: Locale): Promise<number>;
  proveByCode(code: string): Promise<SecondStep[]>;
  /** Sends the code of the second factor. Returns when the next one may be requested. */
  sendFactorCode(kind: 'email' | 'phone', locale: Locale): Promise<number>;
  verifyFactor(kind: SecondStep, code: string): Promise<void>;
}

export function createReauthentication({ opaque, authenticator, ...deps }: ReauthenticationDeps): Reauthentication {
  const call = createCall(deps);
  return {
    listMethods: () => call(contract.listReauthenticationMethods, undefined),
    async proveByPassword(password) {
      const { state, request } = await opaque.startLogin(password);
      const { response, login } = await call(contract.startPasswordReauthentication, { request });
      const proof = await opaque.finishLogin(password, state, response);
      if (!proof) throw new AppError('wrong_password');
      return (await call(contract.finishPasswordReauthentication, { login, finish: proof.finish })).owes;
    },
    async proveByPasskey() {
      const { options, challenge } = await call(contract.startPasskeyReauthentication, {});
      const answer = await authenticator.get(options);
      if (!answer) return false;
      await call(contract.finishPasskeyReauthentication, { challenge, response: answer.response });
      return true;
    },
    async sendCode(locale) {
      return (await call(contract.sendReauthenticationCode, { locale })).resendAt;
    },
    async proveByCode(code) {
      return (await call(contract.verifyReauthenticationCode, { code })).owes;
    },
    async sendFactorCode(kind, locale) {
      return (await call(contract.sendReauthenticationFactorCode, { kind, locale })).resendAt;
    },
    async verifyFactor(kind, code) {
      await call(contract.verifyReauthenticationFactor, { kind, code });
    },
  };
}

/** Proving once more who one is, without a screen. */
import type { Locale } from '@dostar/protocol/contract/accounts';
import * as contract from '@dostar/protocol/contract/proving';
import { AppError } from '@dostar/protocol/errors';
import type { Authenticator } from './authenticator.ts';
import { type CallDeps, createCall } from './call.ts';
import type { OpaqueClient } from './opaque.ts';

type ProvingDeps = CallDeps & { opaque: OpaqueClient; authenticator: Authenticator };

export interface Proving {
  listMethods(): Promise<contract.ProofMethod[]>;
  /** Throws `wrong_password`. */
  proveByPassword(password: string): Promise<void>;
  /** False if the person closed the browser's question. */
  proveByPasskey(): Promise<boolean>;
  /** When the next code may be asked for. */
  sendCode(locale: Locale): Promise<number>;
  proveByCode(code: string): Promise<void>;
}

export function createProving({ opaque, authenticator, ...deps }: ProvingDeps): Proving {
  const call = createCall(deps);
  return {
    async listMethods() {
      return (await call(contract.listProofs, undefined)).methods;
    },
    async proveByPassword(password) {
      const { state, request } = await opaque.startLogin(password);
      const { response, login } = await call(contract.startPasswordProof, { request });
      const proof = await opaque.finishLogin(password, state, response);
      if (!proof) throw new AppError('wrong_password');
      await call(contract.finishPasswordProof, { login, finish: proof.finish });
    },
    async proveByPasskey() {
      const { options, challenge } = await call(contract.startPasskeyProof, {});
      const answer = await authenticator.get(options);
      if (!answer) return false;
      await call(contract.finishPasskeyProof, { challenge, response: answer.response });
      return true;
    },
    async sendCode(locale) {
      return (await call(contract.sendProofCode, { locale })).resendAt;
    },
    async proveByCode(code) {
      await call(contract.giveProofCode, { code });
    },
  };
}

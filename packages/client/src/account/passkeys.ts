/**
 * Passkeys, without UI: signing in, and unlocking the account where the authenticator can derive a key.
 *
 * The derived key wraps the account key in this browser and never leaves it.
 */
import * as contract from '@dostar/protocol/contract/passkeys';
import type { AccountId } from '@dostar/protocol/ids';
import type { z } from 'zod';
import { toBase64Url } from '../net/base64.ts';
import { wrapAccountKey } from './account-key.ts';
import type { KeyStore } from './key-store.ts';
import type { Authenticator, CreatedPasskey } from './authenticator.ts';
import { type CallDeps, createCall } from './call.ts';
import { hasAccountKey, unlockAccount } from './unlock.ts';

export type Passkey = z.infer<typeof contract.listPasskeys.reply>['passkeys'][number];

const CHALLENGE_BYTES = 32;

export interface Passkeys {
  list(): Promise<Passkey[]>;
  /**
   * Undefined if the person cancelled the browser's dialog. `unlocks`: whether the passkey unwraps the account key too.
   */
  add(account: AccountId, name: string): Promise<{ unlocks: boolean } | undefined>;
  rename(id: string, name: string): Promise<void>;
  remove(id: string): Promise<void>;
  /** `isOpen`: whether this browser now has the account key. */
  signIn(): Promise<{ account: AccountId; isOpen: boolean } | undefined>;
}

type PasskeyDeps = CallDeps & {
  keys: KeyStore;
  authenticator: Authenticator;
  random: (size: number) => Uint8Array<ArrayBuffer>;
};

export function createPasskeys({ keys, authenticator, random, ...deps }: PasskeyDeps): Passkeys {
  const call = createCall(deps);

  /** Some authenticators derive no secret while they create a passkey: those are asked again, without the server. */
  async function derive(made: CreatedPasskey, { rp, timeout }: contract.CreationOptions) {
    if (made.derived || !made.canDerive) return made.derived;
    const allowCredentials = [{ id: made.response.id, type: 'public-key' as const }];
    const challenge = toBase64Url(random(CHALLENGE_BYTES));
    const asked = { challenge, rpId: rp.id, timeout, userVerification: 'required' as const, allowCredentials };
    return (await authenticator.get(asked))?.derived;
  }

  return {
    async list() {
      return (await call(contract.listPasskeys, undefined)).passkeys;
    },

    async add(account, name) {
      const { options, challenge } = await call(contract.startPasskey, {}, account);
      const made = await authenticator.create(options);
      if (!made) return undefined;
      const accountKey = await keys.get(account);
      const secret = accountKey && (await derive(made, options));
      const { response } = made;
      const wrap = accountKey &&
        secret && {
          ...(await wrapAccountKey(accountKey, secret, { account, method: 'passkey', random })),
          credential: response.id,
        };
      await call(contract.finishPasskey, { challenge, response, name, ...(wrap && { wrap }) }, account);
      return { unlocks: wrap !== undefined };
    },

    async rename(id, name) {
      await call(contract.renamePasskey, { id, name });
    },

    async remove(id) {
      await call(contract.removePasskey, { id });
    },

    async signIn() {
      const { options, challenge } = await call(contract.startPasskeyLogin, {});
      const got = await authenticator.get(options);
      if (!got) return undefined;
      const { response, derived } = got;
      const { account } = await call(contract.finishPasskeyLogin, { challenge, response });
      const isUnlocked = derived !== undefined && (await unlockAccount({ keys, call, account }, derived, response.id));
      return { account, isOpen: isUnlocked || (await hasAccountKey(keys, account)) };
    },
  };
}

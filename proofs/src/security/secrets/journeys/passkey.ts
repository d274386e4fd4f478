import { randomBytes } from 'node:crypto';
import { createPasskeys } from '@dostar/client/passkeys';
import type { Authenticator } from '@dostar/client/authenticator';
import { answer, makePasskey } from '../../../../../apps/server/test/soft-authenticator.ts';
import type { SoftPasskey } from '../../../../../apps/server/test/soft-authenticator.ts';
import { signUpUser, createUser } from '../fixture.ts';
import type { Journey, Fixture } from '../fixture.ts';

/** Adds a passkey to an account, then signs in and unlocks with it, without a password. */
export const byPasskey: Journey = {
  name: 'passkey',
  async run(fixture) {
    const { browser, email } = await signUpUser(fixture, 'Quiet-river-13 of passkeys');
    const authenticator = createAuthenticator(fixture);
    const { account } = await browser.auth.signIn(email, 'Quiet-river-13 of passkeys');
    const added = await createPasskeys({ ...browser.deps, authenticator }).add(account, 'of the proof');
    if (!added?.unlocks) throw new Error('the passkey does not unlock');
    await fixture.look();
    const again = createUser(fixture, email);
    const signedIn = await createPasskeys({ ...again.browser.deps, authenticator }).signIn();
    if (!signedIn?.isOpen) throw new Error('the passkey has not unlocked');
  },
};

function createAuthenticator({ plantedSecrets }: Fixture): Authenticator {
  const derived = new Uint8Array(randomBytes(32));
  plantedSecrets.plant('passkey secret', derived);
  let kept: SoftPasskey | undefined;
  return {
    async create(options) {
      const { passkey, response } = makePasskey(options);
      kept = passkey;
      return { response, canDerive: true, derived };
    },
    get: async (options) => kept && { response: answer(kept, options), derived },
  };
}

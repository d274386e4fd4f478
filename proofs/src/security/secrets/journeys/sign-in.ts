import { signUpUser, createUser } from '../fixture.ts';
import type { Journey } from '../fixture.ts';

/** Signs in, first with a wrong password, and signs out. */
export const signIn: Journey = {
  name: 'sign-in',
  async run(fixture) {
    const password = 'Quiet-river-8 of sign-in';
    const { email } = await signUpUser(fixture, password);
    const { browser } = createUser(fixture, email);
    const failure = await browser.try(() => browser.auth.signIn(email, 'Loud-river-8 of sign-in'));
    if (failure !== 'wrong_password') throw new Error(`a wrong password is answered ${failure}`);
    const { account } = await browser.auth.signIn(email, password);
    await fixture.look();
    await browser.auth.signOut(account);
  },
};

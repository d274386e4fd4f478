import { newAccount, newTraveller } from '../scene.ts';
import type { Journey } from '../scene.ts';

/** With a password that was wrong first, then out again. */
export const signIn: Journey = {
  name: 'sign-in',
  async run(scene) {
    const password = 'Quiet-river-8 of sign-in';
    const { email } = await newAccount(scene, password);
    const { browser } = newTraveller(scene, email);
    const failure = await browser.try(() => browser.auth.signIn(email, 'Loud-river-8 of sign-in'));
    if (failure !== 'wrong_password') throw new Error(`a wrong password is answered ${failure}`);
    const { account } = await browser.auth.signIn(email, password);
    await scene.look();
    await browser.auth.signOut(account);
  },
};

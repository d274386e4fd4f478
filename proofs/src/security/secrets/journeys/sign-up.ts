import { newTraveller, readCode } from '../scene.ts';
import type { Journey } from '../scene.ts';

/** With a code that was mistyped first. */
export const signUp: Journey = {
  name: 'sign-up',
  async run(scene) {
    const { browser, email } = newTraveller(scene);
    await browser.auth.beginSignUp({ email, password: 'Quiet-river-7 of sign-up', locale: 'kz' });
    const code = await readCode(scene, email);
    await scene.look();
    const wrong = String((Number(code) + 1) % 1_000_000).padStart(6, '0');
    scene.ledger.plant('e-mail code', wrong);
    const failure = await browser.try(() => browser.auth.confirmSignUp(email, wrong));
    if (failure !== 'wrong_code') throw new Error(`a wrong code is answered ${failure}`);
    await browser.auth.confirmSignUp(email, code);
  },
};

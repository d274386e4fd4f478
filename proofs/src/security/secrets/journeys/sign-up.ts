import { createUser, readCode } from '../fixture.ts';
import type { Journey } from '../fixture.ts';

/** Signs up, first with a wrong code. */
export const signUp: Journey = {
  name: 'sign-up',
  async run(fixture) {
    const { browser, email } = createUser(fixture);
    await browser.auth.beginSignUp({ email, password: 'Quiet-river-7 of sign-up', locale: 'kz' });
    const code = await readCode(fixture, email);
    await fixture.look();
    const wrong = String((Number(code) + 1) % 1_000_000).padStart(6, '0');
    fixture.plantedSecrets.plant('email code', wrong);
    const failure = await browser.try(() => browser.auth.confirmSignUp(email, wrong));
    if (failure !== 'wrong_code') throw new Error(`a wrong code is answered ${failure}`);
    await browser.auth.confirmSignUp(email, code);
  },
};

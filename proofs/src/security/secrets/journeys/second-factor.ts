import * as factors from '@dostar/protocol/contract/second-factors';
import { totpCode, decodeBase32 } from '@dostar/tools/totp';
import { signUpUser, createUser } from '../fixture.ts';
import type { Journey } from '../fixture.ts';

/** Uses an authenticator app, and a recovery code instead of it. */
export const secondFactor: Journey = {
  name: 'second factor',
  async run(fixture) {
    const { plantedSecrets } = fixture;
    const password = 'Quiet-river-10 of factors';
    const { browser, email } = await signUpUser(fixture, password);
    const { secret, uri } = await browser.call(factors.startTotp, {});
    plantedSecrets.plant('TOTP secret', secret);
    plantedSecrets.plant('TOTP secret', decodeBase32(secret));
    plantedSecrets.plant('TOTP address', uri);
    const code = totpCode(secret);
    plantedSecrets.plant('TOTP code', code);
    const { recoveryCodes } = await browser.call(factors.confirmFactor, { kind: 'totp', code });
    for (const each of recoveryCodes ?? []) {
      plantedSecrets.plant('recovery code', each);
      plantedSecrets.plant('recovery code', each.replace('-', ''));
    }
    await fixture.look();
    const [recoveryCode = ''] = recoveryCodes ?? [];
    const again = createUser(fixture, email);
    await again.browser.auth.signIn(email, password);
    await fixture.look();
    await again.browser.call(factors.verifyFactor, { kind: 'recoverycode', code: recoveryCode });
  },
};

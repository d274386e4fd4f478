import * as factors from '@dostar/protocol/contract/second-factors';
import { totpCode, decodeBase32 } from '../../../harness/people/totp.ts';
import { newAccount, newTraveller } from '../scene.ts';
import type { Journey } from '../scene.ts';

/** An authenticator app, and a recovery code in its place. */
export const secondFactor: Journey = {
  name: 'second factor',
  async run(scene) {
    const { ledger } = scene;
    const password = 'Quiet-river-10 of factors';
    const { browser, email } = await newAccount(scene, password);
    const { secret, uri } = await browser.call(factors.startTotp, {});
    ledger.plant('TOTP secret', secret);
    ledger.plant('TOTP secret', decodeBase32(secret));
    ledger.plant('TOTP address', uri);
    const code = totpCode(secret);
    ledger.plant('TOTP code', code);
    const { recoveryCodes } = await browser.call(factors.confirmFactor, { kind: 'totp', code });
    for (const each of recoveryCodes ?? []) {
      ledger.plant('recovery code', each);
      ledger.plant('recovery code', each.replace('-', ''));
    }
    await scene.look();
    const [recoveryCode = ''] = recoveryCodes ?? [];
    const again = newTraveller(scene, email);
    await again.browser.auth.signIn(email, password);
    await scene.look();
    await again.browser.call(factors.verifyFactor, { kind: 'recoverycode', code: recoveryCode });
  },
};

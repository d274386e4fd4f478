/** The contents of a user's vault, opened with their account key. */
import type { Owner } from '@dostar/client/testing/owners';
import { decodeSecrets, type Secrets } from '../../../../packages/client/src/vault/secrets.ts';
import { readVault } from '@dostar/client/vault';
import type { Browser } from '@dostar/client/testing/http-browser';

export async function readVaultSecrets({ person, accountKey }: Owner, browser: Browser): Promise<Secrets> {
  const deps = {
    account: person.account,
    call: browser.call.bind(browser) as never,
    random: (n: number) => new Uint8Array(n),
  };
  const reading = await readVault(deps, 'secrets', accountKey);
  const secrets = reading.state === 'open' ? decodeSecrets(reading.plain) : undefined;
  if (secrets === undefined) throw new Error('the vault does not open');
  return secrets;
}

import { loadAccountCare } from './load-account.ts';
import { withProof } from '../reauthentication/reauthentication.ts';

/** Signs out the account's other devices after a change of its ways to sign in. */
export async function endOtherDevices(): Promise<void> {
  await withProof(async () => (await loadAccountCare()).endDevices());
}

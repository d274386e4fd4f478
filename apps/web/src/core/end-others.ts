import { loadAccountCare } from './load-account.ts';
import { withProof } from './proof.ts';

/** After a change of what signs in: whoever is signed in elsewhere by what it was before is signed out. */
export async function endOtherDevices(): Promise<void> {
  await withProof(async () => (await loadAccountCare()).endDevices());
}

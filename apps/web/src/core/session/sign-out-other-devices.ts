import { loadAccountSettings } from './load-account.ts';
import { withReauthentication } from '../reauthentication/reauthentication.ts';

/** Signs out the account's other devices after a change of its sign-in methods. */
export async function signOutOtherDevices(): Promise<void> {
  await withReauthentication(async () => (await loadAccountSettings()).endDevices());
}

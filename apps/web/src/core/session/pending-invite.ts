import { INVITE_KEY } from '@dostar/client/invite-key';

/** Whether the visitor has an invite that is not redeemed yet. */
export function hasPendingInvite(): boolean {
  return typeof localStorage !== 'undefined' && localStorage.getItem(INVITE_KEY) !== null;
}

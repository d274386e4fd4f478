import { INVITE_KEY } from '@dostar/client/invite-key';

/** Whether somebody came here by an invite and has not been let in yet. */
export function hasPendingInvite(): boolean {
  return typeof localStorage !== 'undefined' && localStorage.getItem(INVITE_KEY) !== null;
}

/**
 * The storage key of an invite that was not redeemed yet. A separate file, so that importing it loads no other code.
 */
export const INVITE_KEY = 'invite';

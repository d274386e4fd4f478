/** The storage key of an invite that was not redeemed yet; a separate file, so that reading it loads no other code. */
export const INVITE_KEY = 'invite';

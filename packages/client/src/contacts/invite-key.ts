/** Under which an invite on its way is kept in this browser; a file of its own, so that asking for it costs nothing. */
export const INVITE_KEY = 'invite';

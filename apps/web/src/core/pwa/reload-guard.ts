/** A page with a missing script reloads at most once per path within this time, whichever code notices it. */
export const reloadGuardMs = 10_000;
/** The key in session storage, followed by the path; its value is the time of the last reload. */
export const reloadKey = 'reloaded:';

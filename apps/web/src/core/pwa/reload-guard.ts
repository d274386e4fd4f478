/** A page whose script is gone is loaded again at most once per path within this time, wherever the script was missed. */
export const reloadGuardMs = 10_000;
/** In the session storage, followed by the path: when it was last loaded again. */
export const reloadKey = 'reloaded:';

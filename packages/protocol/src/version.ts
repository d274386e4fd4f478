/**
 * The protocol version, one for calls and the socket (SPEC V). Increase it only if an older client or server would
 * misbehave; a new call, frame or field that an old one can ignore needs no new version.
 */
export const PROTOCOL_VERSION = 1;

/** The oldest version that a server still supports. Increase it one release after the last program that needs it. */
export const OLDEST_VERSION = 1;

/** Sent with every call of the client. */
export const VERSION_HEADER = 'x-dostar-version';

/** `too_old`: the page has to be reloaded. `too_new`: this process has not been upgraded yet, but another one has. */
export function checkVersion(version: number): 'supported' | 'too_old' | 'too_new' {
  if (version > PROTOCOL_VERSION) return 'too_new';
  return version >= OLDEST_VERSION ? 'supported' : 'too_old';
}

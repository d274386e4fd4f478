/**
 * The protocol version, one for calls and the socket (SPEC V). It grows only when an older client or server would
 * misunderstand; a new call, frame or field that an old one can ignore is no new version.
 */
export const PROTOCOL_VERSION = 1;

/** The oldest version that a server still supports. It grows a release after the last program that needed it. */
export const OLDEST_VERSION = 1;

/** Sent with every call of the client. */
export const VERSION_HEADER = 'x-dostar-version';

/** `too_old`: the page has to be loaded again. `too_new`: this process has not been upgraded yet, another has. */
export function checkVersion(version: number): 'supported' | 'too_old' | 'too_new' {
  if (version > PROTOCOL_VERSION) return 'too_new';
  return version >= OLDEST_VERSION ? 'supported' : 'too_old';
}

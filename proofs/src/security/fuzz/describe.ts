import { checkVersion, VERSION_HEADER } from '@dostar/protocol/version';
import type { Reply, Request } from './wire.ts';

const SHOWN = 1_500;

/** Describes an input in a failure. The seed and the number of the input reproduce it. */
export function describeInput({ method, path, headers, body }: Request): string {
  const written = headers.map(([name, value]) => `${name}: ${value.slice(0, 200)}`).join(' | ');
  const sent = body ? `${body.length} bytes ${JSON.stringify(body.subarray(0, SHOWN).toString())}` : 'no body';
  return `${method} ${path.slice(0, SHOWN)} (${written}) ${sent}`;
}

/**
 * Errors from 500 on that are documented: a feature that this server lacks (`/v1` uses the codes of the hosted
 * service), or a client version that is newer than this process (SPEC V2).
 */
export function isDocumented({ status, text }: Reply, headers: Request['headers']): boolean {
  const isMissing = status === 501 && text.includes('"user_auth_method_unsupported"');
  const isPhone = status === 503 && text.includes('"general_phone_disabled"');
  const isTooNew = status === 503 && text.includes('"error":"unavailable"') && namesNewerVersion(headers);
  return isMissing || isPhone || isTooNew;
}

function namesNewerVersion(headers: Request['headers']): boolean {
  const named = headers.findLast(([name]) => name === VERSION_HEADER)?.[1];
  return named !== undefined && checkVersion(Number(named)) === 'too_new';
}

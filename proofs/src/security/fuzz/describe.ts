import { checkVersion, VERSION_HEADER } from '@dostar/protocol/version';
import type { Reply, Request } from './wire.ts';

const SHOWN = 1_500;

/** For a failure: enough to see what was sent. The seed and the number of the input make it again. */
export function describeInput({ method, path, headers, body }: Request): string {
  const written = headers.map(([name, value]) => `${name}: ${value.slice(0, 200)}`).join(' | ');
  const sent = body ? `${body.length} bytes ${JSON.stringify(body.subarray(0, SHOWN).toString())}` : 'no body';
  return `${method} ${path.slice(0, SHOWN)} (${written}) ${sent}`;
}

/**
 * Answers above 500 that say what this server does not offer (`/v1` takes their numbers from the hosted service), or that
 * the client that the input names is newer than this process (SPEC V2).
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

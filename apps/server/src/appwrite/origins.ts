/** CORS of `/v1`: which pages may call, and which headers they may send and read. */
import { z } from 'zod';
import { readOrigin } from '../platform/http/read-origin.ts';

const LOCAL = ['localhost', '127.0.0.1', '[::1]'];

export const EXPOSED_HEADERS = 'X-Appwrite-Session, X-Fallback-Cookies';

export const allowedHeaders =
  'Accept, Authorization, Cache-Control, Content-Range, Content-Type, Range, X-Appwrite-Dev-Key, X-Appwrite-ID, ' +
  'X-Appwrite-Impersonate-User-Email, X-Appwrite-Impersonate-User-Id, X-Appwrite-Impersonate-User-Phone, ' +
  'X-Appwrite-JWT, X-Appwrite-Key, X-Appwrite-Locale, X-Appwrite-Project, X-Appwrite-Response-Format, ' +
  'X-Appwrite-Session, X-Appwrite-Timestamp, X-Fallback-Cookies, X-Forwarded-User-Agent, X-SDK-Language, ' +
  'X-SDK-Name, X-SDK-Platform, X-SDK-Version';

/**
 * Origins whose pages may call with credentials: our own, and those the operator names. Scheme and port count, since
 * another program may serve another port of the same host. Every name of this machine is allowed if one is.
 */
export function listOrigins(own: readonly string[], named: readonly string[]): string[] {
  return [...own, ...named].flatMap((text) => {
    const origin = readOrigin(text);
    if (origin === undefined) return [];
    const { protocol, hostname, port } = new URL(origin);
    if (!LOCAL.includes(hostname)) return [origin];
    return LOCAL.map((name) => `${protocol}//${name}${port === '' ? '' : `:${port}`}`);
  });
}

function hostOf(address: string): string | undefined {
  try {
    return new URL(address).hostname;
  } catch {
    return undefined;
  }
}

/** Whether page and API are the same site for cookies. False if that is unknown. */
export function sharesSite(origin: string | undefined, host: string): boolean {
  const [page, api] = [origin === undefined ? undefined : hostOf(origin), hostOf(`http://${host}`)];
  if (page === undefined || api === undefined) return false;
  if (LOCAL.includes(api) || /^[\d.]+$|^\[/.test(api)) return false;
  return page === api || page.endsWith(`.${api}`) || api.endsWith(`.${page}`);
}

/** URLs that emails and Google may return to. Other pages must not get the secret in them. */
export function returnUrl(origins: readonly string[]) {
  return z
    .url({ protocol: /^https?$/, error: 'Value must be a valid URL' })
    .max(2048)
    .refine((url) => {
      const origin = readOrigin(url);
      return origin !== undefined && origins.includes(origin);
    }, 'URL host must be one of the hosts of this project');
}

/** The session secret of `/v1`: in two cookies, or in a header for browsers that refuse third-party cookies. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { readCookie } from '../platform/http/cookies.ts';
import { sharesSite } from './origins.ts';

interface CookieOptions {
  project: string;
  /** Whether browsers use TLS. */
  isSecure: boolean;
}

const FALLBACK = 'x-fallback-cookies';

/** In order of precedence. */
export function listSessionSecrets({ headers }: FastifyRequest, project: string): string[] {
  const name = `a_session_${project}`;
  return [
    readCookie(headers.cookie, name),
    readCookie(headers.cookie, `${name}_legacy`),
    one(headers['x-appwrite-session']),
    readFallback(one(headers[FALLBACK]), name),
  ].filter((value) => value !== undefined && value !== '') as string[];
}

function one(value: string | string[] | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** After a sign-out clients keep sending an empty array. */
function readFallback(text: string | undefined, name: string): string | undefined {
  if (text === undefined) return undefined;
  try {
    const value = (JSON.parse(text) as Record<string, unknown> | null)?.[name];
    return typeof value === 'string' ? value : undefined;
  } catch {
    return undefined;
  }
}

export function writeCookies({ project, isSecure }: CookieOptions, secret: string, expiresAt: number): string[] {
  const name = `a_session_${project}`;
  const rest = `Path=/; HttpOnly; SameSite=Lax; Expires=${new Date(expiresAt).toUTCString()}${isSecure ? '; Secure' : ''}`;
  return [`${name}_legacy=${secret}; ${rest}`, `${name}=${secret}; ${rest}`];
}

export function setSessionCookie(
  cookieOptions: CookieOptions,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  { secret, expiresAt }: { secret: string; expiresAt: number },
): void {
  const name = `a_session_${cookieOptions.project}`;
  void reply.header('set-cookie', writeCookies(cookieOptions, secret, expiresAt));
  if (!sharesSite(request.headers.origin, request.host)) {
    void reply.header(FALLBACK, JSON.stringify({ [name]: secret }));
  }
}

export function clearSessionCookie({ project, isSecure }: CookieOptions, reply: FastifyReply): void {
  const name = `a_session_${project}`;
  const rest = `Path=/; HttpOnly; SameSite=Lax; Max-Age=0${isSecure ? '; Secure' : ''}`;
  void reply.header('set-cookie', [`${name}_legacy=; ${rest}`, `${name}=; ${rest}`]).header(FALLBACK, '[]');
}

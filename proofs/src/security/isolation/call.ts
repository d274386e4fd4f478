import { randomAddress } from '@dostar/client/testing/http-browser';
import { TICKET_COOKIE } from '@dostar/protocol/contract/accounts';
import { ANY_ACCOUNT, CALL_HEADER } from '@dostar/protocol/contract/endpoint';
import type { Endpoint } from '@dostar/protocol/contract/endpoint';
import { SESSION_COOKIE } from '@dostar/protocol/contract/sessions';

/** What a browser, or an attacker's program, sends with a call. */
export interface Credentials {
  token?: string;
  ticket?: string;
  /** `null` omits the header. */
  header?: string | null;
  origin?: string | null;
  site?: string;
  address?: string;
  /** Other headers that the call needs. */
  more?: Record<string, string>;
}

export interface Answer {
  status: number;
  /** The error code of a refusal; empty for success. */
  error: string;
  text: string;
}

export async function callWith(
  url: string,
  endpoint: Pick<Endpoint, 'method' | 'path'>,
  credentials: Credentials,
  body: unknown,
): Promise<Answer> {
  const reply = await fetch(url + endpoint.path, {
    method: endpoint.method,
    headers: headersOf(credentials, body),
    ...(body !== undefined && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(20_000),
  });
  const text = await reply.text();
  return { status: reply.status, error: reply.ok ? '' : readError(text), text };
}

export function headersOf(credentials: Credentials, body: unknown): Record<string, string> {
  const { token, ticket, header = ANY_ACCOUNT, origin = null, site, address = randomAddress(), more } = credentials;
  const cookies = [token && `${SESSION_COOKIE}=${token}`, ticket && `${TICKET_COOKIE}=${ticket}`].filter(Boolean);
  return {
    // Each call comes from another address, so that rate limits do not refuse it.
    'x-forwarded-for': address,
    ...(cookies.length > 0 && { cookie: cookies.join('; ') }),
    ...(header !== null && { [CALL_HEADER]: header }),
    ...(origin !== null && { origin }),
    ...(site !== undefined && { 'sec-fetch-site': site }),
    ...(body !== undefined && { 'content-type': 'application/json' }),
    ...more,
  };
}

function readError(text: string): string {
  try {
    return (JSON.parse(text) as { error?: string }).error ?? 'unreadable';
  } catch {
    return 'unreadable';
  }
}

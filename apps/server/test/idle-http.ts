/** An HTTP server that does not listen, for tests of its settings and mounted routes. */
import type { Context } from '../src/context.ts';
import { Http } from '../src/platform/http/server.ts';

export function openIdleHttp({
  limits,
  metrics,
  log,
  security,
}: Pick<Context, 'limits' | 'metrics' | 'log' | 'security'>): Http {
  return new Http({
    tls: undefined,
    origins: [],
    isSecure: false,
    isProxy: () => false,
    limits,
    metrics,
    log,
    security,
    authenticate: callNobody,
    authenticateTicket: callNobody,
  });
}

export function callNobody(): Promise<never> {
  return Promise.reject(new Error('nobody calls here'));
}

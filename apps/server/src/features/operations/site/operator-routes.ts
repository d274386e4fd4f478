import * as contract from '@dostar/protocol/contract/operator';
import { AppError } from '@dostar/protocol/errors';
import type { Context } from '../../../context.ts';
import type { Http } from '../../../platform/http/server.ts';
import type { RateLimit } from '../../../platform/concurrency/rate-limits.ts';
import { writeSecurityText } from './security-text.ts';

const LIMIT: RateLimit = { name: 'operator', points: 120, perSeconds: 60, scope: 'process' };
const SECURITY_TEXT = '/.well-known/security.txt';

export function operatorRoutes(http: Http, ctx: Context): void {
  const { name, contacts, privacy } = ctx.operator;
  http.add(contract.getOperator, {
    summary: 'Says who operates this server',
    limit: LIMIT,
    handle: () => Promise.resolve({ name, contacts, privacy }),
  });
}

export function securityTextRoute(http: Http, ctx: Context): void {
  http.app.get(SECURITY_TEXT, async (_request, reply) => {
    const text = writeSecurityText(ctx.operator, `${ctx.origin}${SECURITY_TEXT}`, ctx.clock.now());
    if (text === undefined) throw new AppError('not_found');
    return reply.type('text/plain; charset=utf-8').send(text);
  });
}

import * as contract from '@dostar/protocol/contract/email-links';
import type { Context } from '../../../context.ts';
import type { Http } from '../../../platform/http/server.ts';
import type { RateLimit } from '../../../platform/concurrency/rate-limits.ts';
import { requireLink } from './service.ts';

const LIMIT: RateLimit = { name: 'link-calls', points: 60, perSeconds: 60, scope: 'process' };

export function emailLinkRoutes(http: Http, ctx: Context): void {
  http.add(contract.getEmailLink, {
    summary: 'Says what an email link is for, without using it up',
    limit: LIMIT,
    async handle({ body, address }) {
      const link = await requireLink(ctx, body.token, address);
      return { purpose: link.purpose, address: link.address };
    },
  });
}

import * as contract from '@dostar/protocol/contract/privacy';
import type { Context } from '../../../context.ts';
import type { Http } from '../../../platform/http/server.ts';
import type { RateLimit } from '../../../platform/concurrency/rate-limits.ts';
import { changePrivacy, listPrivacyOf } from './service.ts';

const LIMIT: RateLimit = { name: 'privacy', points: 60, perSeconds: 60, scope: 'process' };

export function privacyRoutes(http: Http, ctx: Context): void {
  http.add(contract.getPrivacy, {
    summary: 'Returns the privacy settings',
    limit: LIMIT,
    async handle({ caller }) {
      const choices = await listPrivacyOf(ctx, [caller.account]);
      return choices.get(caller.account) ?? contract.DEFAULT_PRIVACY;
    },
  });
  http.add(contract.setPrivacy, {
    summary: 'Changes the privacy settings',
    limit: LIMIT,
    handle: ({ body, caller }) => changePrivacy(ctx, caller.account, body),
  });
}

/** Password, address and standing of an account of `/v1`. Somebody of the product changes theirs in the settings. */
import { z } from 'zod';
import type { Context } from '../../context.ts';
import type { Limit } from '../../platform/concurrency/rate-limits.ts';
import { takeSession } from '../cookies.ts';
import { readParams } from '../http.ts';
import type { ServiceHttp } from '../http.ts';
import { localeOf } from '../locale.ts';
import { ServiceEmail, ServicePassword } from '../params.ts';
import { changeServiceEmail, changeServicePassword } from './changes.ts';
import { blockServiceAccount, describeAccount, requireServiceAccount } from './service.ts';

/** Each is a guess at the password, by whoever holds a session. */
const GUESSES: Limit = { name: 'v1-passwords', points: 10, perSeconds: 3_600, scope: 'shared' };

const NewPassword = z.object({ password: ServicePassword, oldPassword: z.string().max(256).default('') });
const NewEmail = z.object({ email: ServiceEmail, password: ServicePassword });

export function serviceChangeRoutes(http: ServiceHttp, ctx: Context): void {
  const carrier = { project: ctx.service.project, isSecure: ctx.origin.startsWith('https:') };

  http.add({
    method: 'PATCH',
    paths: ['/account/password'],
    auth: 'user',
    limit: GUESSES,
    handle: ({ caller, body, request }) =>
      changeServicePassword(ctx, caller, { ...readParams(NewPassword, body), locale: localeOf(request.headers) }),
  });
  http.add({
    method: 'PATCH',
    paths: ['/account/email'],
    auth: 'user',
    limit: GUESSES,
    handle: ({ caller, body, request }) =>
      changeServiceEmail(ctx, caller.account, { ...readParams(NewEmail, body), locale: localeOf(request.headers) }),
  });
  http.add({
    method: 'PATCH',
    paths: ['/account/status'],
    auth: 'user',
    limit: GUESSES,
    async handle({ caller, reply }) {
      await requireServiceAccount(ctx, caller.account);
      await blockServiceAccount(ctx, caller.account, true);
      takeSession(carrier, reply);
      return describeAccount(ctx, caller.account);
    },
  });
}

/** Password, email address and status of a `/v1` account. Accounts of the product change theirs in the settings. */
import { z } from 'zod';
import type { Context } from '../../context.ts';
import type { RateLimit } from '../../platform/concurrency/rate-limits.ts';
import { clearSessionCookie } from '../cookies.ts';
import { readParams } from '../http.ts';
import type { AppwriteHttp } from '../http.ts';
import * as models from '../reply-models.ts';
import { localeOf } from '../locale.ts';
import { AppwriteEmail, AppwritePassword } from '../params.ts';
import { changeAppwriteEmail, changeAppwritePassword } from './changes.ts';
import { blockAppwriteAccount, describeAccount, requireAppwriteAccount } from './service.ts';

/** Limits guesses at the password by a stolen session. */
const GUESSES: RateLimit = { name: 'v1-passwords', points: 10, perSeconds: 3_600, scope: 'shared' };

const NewPassword = z.object({ password: AppwritePassword, oldPassword: z.string().max(256).default('') });
const NewEmail = z.object({ email: AppwriteEmail, password: AppwritePassword });

export function appwriteChangeRoutes(http: AppwriteHttp, ctx: Context): void {
  const cookieOptions = { project: ctx.appwrite.project, isSecure: ctx.origin.startsWith('https:') };

  http.add({
    method: 'PATCH',
    paths: ['/account/password'],
    auth: 'user',
    docs: {
      summary: 'Changes the password',
      sdk: 'account.updatePassword',
      body: NewPassword,
      reply: models.User,
      errors: ['user_invalid_credentials'],
    },
    limit: GUESSES,
    handle: ({ caller, body, request }) =>
      changeAppwritePassword(ctx, caller, { ...readParams(NewPassword, body), locale: localeOf(request.headers) }),
  });
  http.add({
    method: 'PATCH',
    paths: ['/account/email'],
    auth: 'user',
    docs: {
      summary: 'Changes the email address',
      sdk: 'account.updateEmail',
      body: NewEmail,
      reply: models.User,
      errors: ['user_invalid_credentials', 'user_auth_method_unsupported', 'general_bad_request'],
    },
    limit: GUESSES,
    handle: ({ caller, body, request }) =>
      changeAppwriteEmail(ctx, caller.account, { ...readParams(NewEmail, body), locale: localeOf(request.headers) }),
  });
  http.add({
    method: 'PATCH',
    paths: ['/account/status'],
    auth: 'user',
    docs: { summary: 'Blocks the account of the caller', sdk: 'account.updateStatus', reply: models.User },
    limit: GUESSES,
    async handle({ caller, reply }) {
      await requireAppwriteAccount(ctx, caller.account);
      await blockAppwriteAccount(ctx, caller.account, true);
      clearSessionCookie(cookieOptions, reply);
      return describeAccount(ctx, caller.account);
    },
  });
}

/** Verification and recovery of `/v1`. */
import { z } from 'zod';
import type { Context } from '../../context.ts';
import type { RateLimit } from '../../platform/concurrency/rate-limits.ts';
import { readParams } from '../http.ts';
import type { AppwriteHttp } from '../http.ts';
import * as models from '../reply-models.ts';
import { localeOf } from '../locale.ts';
import { listOrigins, returnUrl } from '../origins.ts';
import { AppwriteEmail, AppwritePassword, tokenAttemptKey, TokenExchange } from '../params.ts';
import { writeTime } from '../time.ts';
import { requestRecovery, recover, sendVerification, verify } from './service.ts';
import type { SentToken } from './service.ts';

const EMAILS: RateLimit = { name: 'v1-verifications', points: 10, perSeconds: 3_600, scope: 'shared' };
const RECOVERIES: RateLimit = { name: 'v1-recoveries', points: 10, perSeconds: 3_600, scope: 'shared' };
const RECOVERIES_FROM: RateLimit = { name: 'v1-recoveries-from', points: 100, perSeconds: 3_600, scope: 'shared' };
const TRIES: RateLimit = { name: 'v1-email-tries', points: 10, perSeconds: 3_600, scope: 'shared' };
const TRIES_FROM: RateLimit = { name: 'v1-email-tries-from', points: 100, perSeconds: 3_600, scope: 'shared' };

const NewPassword = TokenExchange.extend({ password: AppwritePassword });

export function appwriteEmailRoutes(http: AppwriteHttp, ctx: Context): void {
  const url = returnUrl(listOrigins(ctx.origins, ctx.appwrite.hosts));
  const Asked = z.object({ url });
  const Forgotten = z.object({ email: AppwriteEmail, url });
  const verifications = ['/account/verifications/email', '/account/verification'] as const;

  http.add({
    method: 'POST',
    paths: [...verifications],
    auth: 'user',
    docs: {
      summary: 'Sends an email that verifies the address',
      sdk: 'account.createEmailVerification',
      body: Asked,
      reply: models.Token,
      errors: ['user_email_already_verified'],
    },
    status: 201,
    limit: EMAILS,
    async handle({ caller, body, request }) {
      const asked = { ...readParams(Asked, body), locale: localeOf(request.headers) };
      return describeToken(await sendVerification(ctx, caller.account, asked));
    },
  });
  http.add({
    method: 'PUT',
    paths: [...verifications],
    auth: 'guest',
    docs: {
      summary: 'Verifies the address with the secret of the email',
      sdk: 'account.updateEmailVerification',
      body: TokenExchange,
      reply: models.Token,
      errors: ['user_invalid_token'],
    },
    limit: { ...TRIES_FROM, of: ({ address }) => address },
    contentLimit: { ...TRIES, of: tokenAttemptKey },
    async handle({ body }) {
      const { userId, secret } = readParams(TokenExchange, body);
      return describeToken(await verify(ctx, userId, secret));
    },
  });
  http.add({
    method: 'POST',
    paths: ['/account/recovery'],
    auth: 'guest',
    docs: {
      summary: 'Sends an email that resets the password',
      sdk: 'account.createRecovery',
      body: Forgotten,
      reply: models.Token,
    },
    status: 201,
    limit: { ...RECOVERIES_FROM, of: ({ address }) => address },
    contentLimit: {
      ...RECOVERIES,
      of: ({ body, address }) => AppwriteEmail.safeParse((body as { email?: unknown }).email).data ?? address,
    },
    async handle({ body, request }) {
      const { email, url: target } = readParams(Forgotten, body);
      return describeToken(await requestRecovery(ctx, email, { url: target, locale: localeOf(request.headers) }));
    },
  });
  http.add({
    method: 'PUT',
    paths: ['/account/recovery'],
    auth: 'guest',
    docs: {
      summary: 'Resets the password with the secret of the email',
      sdk: 'account.updateRecovery',
      body: NewPassword,
      reply: models.Token,
      errors: ['user_invalid_token'],
    },
    limit: { ...TRIES_FROM, of: ({ address }) => address },
    contentLimit: { ...TRIES, of: tokenAttemptKey },
    async handle({ body, request }) {
      const chosen = { ...readParams(NewPassword, body), locale: localeOf(request.headers) };
      return describeToken(await recover(ctx, chosen));
    },
  });
}

/** The secret is in the email and nowhere else. */
function describeToken(token: SentToken) {
  return {
    $id: token.id,
    $createdAt: writeTime(token.created_at),
    userId: token.userId,
    secret: '',
    expire: writeTime(token.expires_at),
    phrase: '',
  };
}

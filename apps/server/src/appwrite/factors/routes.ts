/** Second factors of `/v1`. A caller who waits for a second factor may list the factors and answer a challenge. */
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Context } from '../../context.ts';
import type { RateLimit } from '../../platform/concurrency/rate-limits.ts';
import { AppwriteError } from '../errors.ts';
import { idIn, readParams } from '../http.ts';
import type { AppwriteHttp, AppwriteUser } from '../http.ts';
import * as models from '../reply-models.ts';
import { localeOf } from '../locale.ts';
import { writeTime } from '../time.ts';
import { describeAccount, describeSessionOf, requireCallerSession } from '../accounts/service.ts';
import {
  beginAuthenticator,
  challenge,
  confirmAuthenticator,
  createCodes,
  listAvailableFactors,
  answerChallenge,
  removeAuthenticator,
  replaceCodes,
  showCodes,
  switchFactors,
} from './service.ts';
import type { ChallengeFactor } from './service.ts';

const CALLS: RateLimit = { name: 'v1-factor-calls', points: 60, perSeconds: 60, scope: 'process' };
const CHALLENGES: RateLimit = { name: 'v1-challenges', points: 10, perSeconds: 3_600, scope: 'shared' };
const ANSWERS: RateLimit = { name: 'v1-challenge-tries', points: 10, perSeconds: 3_600, scope: 'shared' };

const AUTHENTICATOR = '/account/mfa/authenticators/:type';
const CODES = '/account/mfa/recovery-codes';

const Otp = z.string().min(1).max(64);
const Factor = z.enum(['email', 'phone', 'totp', 'recoverycode', 'recoveryCode', 'custom']);
/** The account has no factor of the kind. */
const NO_FACTOR = ['user_authenticator_not_found', 'user_email_not_verified', 'user_recovery_codes_not_found'] as const;

const Switch = z.object({ mfa: z.boolean() });
const FirstCode = z.object({ otp: Otp });
const NewChallenge = z.object({ factor: Factor });
const Answer = z.object({ challengeId: z.string().min(1).max(36), otp: Otp });

export function appwriteFactorRoutes(http: AppwriteHttp, ctx: Context): void {
  http.add({
    method: 'PATCH',
    paths: ['/account/mfa'],
    auth: 'user',
    docs: {
      summary: 'Turns the second factor on or off',
      sdk: 'account.updateMFA',
      body: Switch,
      reply: models.User,
      errors: ['user_challenge_required'],
    },
    limit: CALLS,
    async handle({ caller, body, request }) {
      await switchFactors(ctx, changerIn(caller, request), readParams(Switch, body).mfa);
      return describeAccount(ctx, caller.account);
    },
  });
  http.add({
    method: 'GET',
    paths: ['/account/mfa/factors'],
    auth: 'half',
    docs: {
      summary: 'Says which second factors the account has',
      sdk: 'account.listMFAFactors',
      reply: models.MfaFactors,
    },
    limit: CALLS,
    handle: async ({ caller }) => ({
      ...(await listAvailableFactors(ctx, caller.account)),
      phone: false,
      custom: false,
    }),
  });

  http.add({
    method: 'POST',
    paths: [AUTHENTICATOR],
    auth: 'user',
    docs: {
      summary: 'Starts setting up an authenticator app',
      sdk: 'account.createMFAAuthenticator',
      reply: models.MfaAuthenticator,
      errors: ['user_challenge_required', 'user_authenticator_already_verified'],
    },
    limit: CALLS,
    handle({ caller, params }) {
      requireTotpType(params);
      return beginAuthenticator(ctx, caller);
    },
  });
  http.add({
    method: 'PUT',
    paths: [AUTHENTICATOR],
    auth: 'user',
    docs: {
      summary: 'Confirms the authenticator app with its first code',
      sdk: 'account.updateMFAAuthenticator',
      body: FirstCode,
      reply: models.User,
      errors: ['user_challenge_required', 'user_invalid_token', 'user_authenticator_not_found'],
    },
    limit: CALLS,
    async handle({ caller, params, body, request }) {
      requireTotpType(params);
      await confirmAuthenticator(ctx, changerIn(caller, request), readParams(FirstCode, body).otp);
      return describeAccount(ctx, caller.account);
    },
  });
  http.add({
    method: 'DELETE',
    paths: [AUTHENTICATOR],
    auth: 'user',
    docs: {
      summary: 'Removes the authenticator app',
      sdk: 'account.deleteMFAAuthenticator',
      reply: 'nothing',
      errors: ['user_challenge_required', 'user_authenticator_not_found'],
    },
    limit: CALLS,
    handle({ caller, params, request }) {
      requireTotpType(params);
      return removeAuthenticator(ctx, changerIn(caller, request));
    },
  });

  http.add({
    method: 'POST',
    paths: [CODES],
    auth: 'user',
    docs: {
      summary: 'Creates recovery codes',
      sdk: 'account.createMFARecoveryCodes',
      reply: models.MfaRecoveryCodes,
      errors: ['user_challenge_required', 'user_recovery_codes_already_exists'],
    },
    status: 201,
    limit: CALLS,
    handle: async ({ caller, request }) => ({ recoveryCodes: await createCodes(ctx, changerIn(caller, request)) }),
  });
  http.add({
    method: 'GET',
    paths: [CODES],
    auth: 'user',
    docs: {
      summary: 'Returns the recovery codes',
      sdk: 'account.getMFARecoveryCodes',
      reply: models.MfaRecoveryCodes,
      errors: ['user_challenge_required', 'user_recovery_codes_not_found'],
    },
    limit: CALLS,
    handle: async ({ caller }) => ({ recoveryCodes: await showCodes(ctx, caller) }),
  });
  http.add({
    method: 'PATCH',
    paths: [CODES],
    auth: 'user',
    docs: {
      summary: 'Replaces the recovery codes',
      sdk: 'account.updateMFARecoveryCodes',
      reply: models.MfaRecoveryCodes,
      errors: ['user_challenge_required', 'user_recovery_codes_not_found'],
    },
    limit: CALLS,
    handle: async ({ caller, request }) => ({ recoveryCodes: await replaceCodes(ctx, changerIn(caller, request)) }),
  });

  http.add({
    method: 'POST',
    paths: ['/account/mfa/challenges', '/account/mfa/challenge'],
    auth: 'half',
    docs: {
      summary: 'Starts a challenge of a second factor',
      sdk: 'account.createMFAChallenge',
      body: NewChallenge,
      reply: models.MfaChallenge,
      errors: [...NO_FACTOR, 'general_phone_disabled', 'user_auth_method_unsupported'],
    },
    status: 201,
    limit: CHALLENGES,
    async handle({ caller, body, request }) {
      const step = toFactor(readParams(NewChallenge, body).factor);
      const asked = await challenge(ctx, caller, step, localeOf(request.headers));
      return {
        $id: asked.id,
        $createdAt: writeTime(asked.created_at),
        userId: caller.id,
        expire: writeTime(asked.expires_at),
      };
    },
  });
  http.add({
    method: 'PUT',
    paths: ['/account/mfa/challenges', '/account/mfa/challenge'],
    auth: 'half',
    docs: {
      summary: 'Answers a challenge',
      sdk: 'account.updateMFAChallenge',
      body: Answer,
      reply: models.Session,
      errors: ['user_invalid_token'],
    },
    limit: CALLS,
    contentLimit: {
      ...ANSWERS,
      of: ({ body, caller }) => `${caller.account} ${idIn(body, 'challengeId')}`,
    },
    async handle({ caller, body, request }) {
      const { challengeId, otp } = readParams(Answer, body);
      await answerChallenge(ctx, changerIn(caller, request), challengeId, otp);
      return describeSessionOf(ctx, caller, await requireCallerSession(ctx, caller));
    },
  });
}

function changerIn({ account, session }: AppwriteUser, { headers }: FastifyRequest) {
  return { account, session, locale: localeOf(headers) };
}

function requireTotpType(params: Record<string, string>): void {
  if (params['type'] !== 'totp') {
    throw new AppwriteError('general_argument_invalid', 'Invalid `type` param: Value must be one of (totp)');
  }
}

/** The SDKs and Appwrite's server spell `recoveryCode` differently. */
function toFactor(factor: z.infer<typeof Factor>): ChallengeFactor {
  switch (factor) {
    case 'phone':
      throw new AppwriteError('general_phone_disabled');
    case 'custom':
      throw new AppwriteError('user_auth_method_unsupported');
    case 'recoverycode':
    case 'recoveryCode':
      return 'recoveryCode';
    case 'totp':
    case 'email':
      return factor;
  }
}

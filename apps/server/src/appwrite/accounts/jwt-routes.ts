import { z } from 'zod';
import type { Context } from '../../context.ts';
import type { RateLimit } from '../../platform/concurrency/rate-limits.ts';
import { AppwriteError } from '../errors.ts';
import { readParams } from '../http.ts';
import type { AppwriteHttp } from '../http.ts';
import * as models from '../reply-models.ts';
import { writeJwt } from './jwt.ts';
import { requireCallerSession } from './service.ts';

const CREATIONS: RateLimit = { name: 'v1-jwts', points: 120, perSeconds: 60, scope: 'process' };
const MAX_SECONDS = 3_600;
const NewJwt = z.object({ duration: z.int().min(0).max(MAX_SECONDS).default(900) });

export function jwtRoutes(http: AppwriteHttp, ctx: Context): void {
  http.add({
    method: 'POST',
    paths: ['/account/jwts', '/account/jwt'],
    auth: 'user',
    docs: {
      summary: 'Creates a JWT that acts for the user',
      sdk: 'account.createJWT',
      body: NewJwt,
      reply: models.Jwt,
      errors: ['user_jwt_creation_denied', 'user_session_not_found'],
    },
    status: 201,
    limit: CREATIONS,
    async handle({ caller, body }) {
      // Otherwise a JWT could be renewed forever.
      if (caller.isByJwt) throw new AppwriteError('user_jwt_creation_denied');
      const { duration } = readParams(NewJwt, body);
      const { id: sessionId } = await requireCallerSession(ctx, caller);
      const exp = Math.floor(ctx.clock.now() / 1000) + duration;
      return { jwt: writeJwt(ctx, { sub: caller.account, userId: caller.id, sessionId, exp }) };
    },
  });
}

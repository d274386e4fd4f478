/** JWTs (HS256) for programs that act for an account for a while. Each ends with the session that created it. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { AccountId } from '@dostar/protocol/ids';
import { z } from 'zod';
import type { Context } from '../../context.ts';

const Claims = z.object({ sub: AccountId, userId: z.string(), sessionId: z.string(), exp: z.number() });
type Claims = z.infer<typeof Claims>;

const HEADER = encode({ typ: 'JWT', alg: 'HS256' });

export function writeJwt(ctx: Context, claims: Claims): string {
  const words = `${HEADER}.${encode(claims)}`;
  return `${words}.${sign(ctx, words)}`;
}

/** Undefined unless this server signed it and it has not expired. The header must be ours: no other algorithm is accepted. */
export function readJwt(ctx: Context, text: string): Claims | undefined {
  const [header, body, signature = ''] = text.split('.');
  if (header !== HEADER || body === undefined) return undefined;
  const [given, right] = [Buffer.from(signature), Buffer.from(sign(ctx, `${header}.${body}`))];
  if (given.length !== right.length || !timingSafeEqual(given, right)) return undefined;
  const claims = Claims.safeParse(JSON.parse(Buffer.from(body, 'base64url').toString()));
  return claims.success && claims.data.exp * 1000 > ctx.clock.now() ? claims.data : undefined;
}

function sign(ctx: Context, words: string): string {
  const key = ctx.sealer.mac('jwt key', ctx.appwrite.project);
  return createHmac('sha256', key).update(words).digest('base64url');
}

function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

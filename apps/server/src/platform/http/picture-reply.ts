/** Pictures that a page shows by their URL alone. */
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { RateLimit } from '../concurrency/rate-limits.ts';
import { queryOf } from './query-of.ts';

interface Picture {
  type: string;
  size: number;
  /** The service worker need not ask again for so long. */
  maxAgeMs: number;
  bytes: AsyncIterable<Uint8Array>;
  /** Browsers that accept something else get something else. */
  variesByAccept?: boolean;
}

interface PictureRequest {
  token: string;
  /** As small as a list shows it. */
  isSmall: boolean;
  accept: string;
}

export interface PictureRouteOptions {
  summary: string;
  /** Charged for a token that does not open: such calls may be guesses. */
  guesses: RateLimit;
  /** Undefined for a token that does not open. */
  handle: (wanted: PictureRequest) => Promise<Picture | undefined>;
}

export function readPictureRequest({ url, headers }: FastifyRequest): PictureRequest {
  const searchParams = queryOf({ url });
  const token = searchParams.get('token') ?? '';
  return { token, isSmall: searchParams.has('small'), accept: headers.accept ?? '' };
}

export function sendPicture(reply: FastifyReply, picture: Picture): FastifyReply {
  void reply.headers({
    // Sign-out can't empty a browser's HTTP cache. The service worker keeps pictures until they expire, and sign-out
    // deletes what it keeps.
    'cache-control': 'private, no-store',
    expires: new Date(Date.now() + picture.maxAgeMs).toUTCString(),
    'content-type': picture.type,
    'content-length': picture.size,
    ...(picture.variesByAccept && { vary: 'Accept' }),
    'content-security-policy': "sandbox; default-src 'none'",
  });
  return reply.send(Readable.from(picture.bytes));
}

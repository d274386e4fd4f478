/**
 * URLs of profile pictures. Their token is encrypted and names viewer, owner and picture.
 *
 * Promise: a URL shows a picture only while its owner shows it to the viewer it was made for, and for two weeks at most. It
 * stays the same for a week, so browsers can cache the picture.
 */
import { BlobId } from '@dostar/protocol/contract/blobs';
import { PICTURE_PATH } from '@dostar/protocol/contract/picture-url';
import type { PictureUrl } from '@dostar/protocol/contract/picture-url';
import { PictureKind } from '@dostar/protocol/contract/profile';
import { AccountId } from '@dostar/protocol/ids';
import { z } from 'zod';
import type { Context } from '../../../context.ts';

const CONTEXT = 'profile picture';
const WEEK_MS = 7 * 24 * 3_600_000;

const TokenContent = z.tuple([AccountId, AccountId, PictureKind, BlobId, z.number()]);

export interface PictureLink {
  viewer: AccountId;
  owner: AccountId;
  kind: PictureKind;
  blob: BlobId;
}

export function pictureUrlOf(ctx: Context, { viewer, owner, kind, blob }: PictureLink): PictureUrl {
  const until = (Math.floor(ctx.clock.now() / WEEK_MS) + 2) * WEEK_MS;
  const token = ctx.sealer.sealDeterministically(CONTEXT, [viewer, owner, kind, blob, until]);
  return `${PICTURE_PATH}?token=${token}`;
}

/** Undefined for a token that was not made here, or has expired. */
export function readPictureUrl(ctx: Context, token: string): (PictureLink & { until: number }) | undefined {
  const { data } = TokenContent.safeParse(ctx.sealer.open(CONTEXT, token));
  if (!data) return undefined;
  const [viewer, owner, kind, blob, until] = data;
  return until > ctx.clock.now() ? { viewer, owner, kind, blob, until } : undefined;
}

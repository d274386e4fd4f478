/** A token lets whoever holds it read one file, until it runs out: for pictures that a page shows to others. */
import { z } from 'zod';
import type { Context } from '../../context.ts';
import { ServiceError } from '../../platform/service-errors.ts';

const CONTEXT = 'file token';
const Inside = z.object({ bucket: z.string(), file: z.string(), until: z.number() });

interface Named {
  bucket: string;
  file: string;
}

export function makeFileToken(ctx: Context, named: Named, until: number): string {
  return ctx.sealer.seal(CONTEXT, { ...named, until });
}

/** What can't be read, or has run out, is as good as none; one for another file is a mistake worth telling. */
export function isTokenFor(ctx: Context, token: string | undefined, named: Named): boolean {
  if (token === undefined || token === '') return false;
  const { data } = Inside.safeParse(ctx.sealer.open(CONTEXT, token));
  if (!data || data.until < ctx.clock.now()) return false;
  if (data.bucket !== named.bucket || data.file !== named.file) throw new ServiceError('user_unauthorized');
  return true;
}

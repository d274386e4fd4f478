/** A token lets its holder read one file until it expires, such as a picture on a public page. */
import { z } from 'zod';
import type { Context } from '../../context.ts';
import { AppwriteError } from '../errors.ts';

const CONTEXT = 'file token';
const FileToken = z.object({ bucket: z.string(), file: z.string(), blob: z.string(), until: z.number() });
export type FileToken = z.infer<typeof FileToken>;

export function makeFileToken(ctx: Context, token: FileToken): string {
  return ctx.sealer.seal(CONTEXT, token);
}

/** Undefined for an invalid or expired token. Throws for a token of another file, which is a mistake of the caller. */
export function readFileToken(
  ctx: Context,
  text: string | undefined,
  { bucket, file }: Pick<FileToken, 'bucket' | 'file'>,
): FileToken | undefined {
  if (text === undefined || text === '') return undefined;
  const { data } = FileToken.safeParse(ctx.sealer.open(CONTEXT, text));
  if (!data || data.until < ctx.clock.now()) return undefined;
  if (data.bucket !== bucket || data.file !== file) throw new AppwriteError('user_unauthorized');
  return data;
}

/** Servers that run in processes of their own, as people and their browsers see them. */
import type { Place } from '@dostar/client/testing/browser';
import { openTown } from '../../../../apps/server/test/world.ts';
import type { Context } from '../../../../apps/server/src/context.ts';

export function openPlace(ctx: Context, servers: Place['servers']): Place {
  return { ...openTown(ctx, servers[0]!.url), servers };
}

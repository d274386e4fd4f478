/** Servers that run in processes of their own, as people and their browsers see them. */
import type { TestServers } from '@dostar/client/testing/browser';
import { openTestFixture } from '../../../../apps/server/test/test-cluster.ts';
import type { Context } from '../../../../apps/server/src/context.ts';

export function openCluster(ctx: Context, servers: TestServers['servers']): TestServers {
  return { ...openTestFixture(ctx, servers[0]!.url), servers };
}

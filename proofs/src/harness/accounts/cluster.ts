/** Servers in separate processes, as clients of the headless browser tests see them. */
import type { TestServers } from '@dostar/client/testing/browser';
import { openTestFixture } from '../../../../apps/server/test/test-cluster.ts';
import type { Context } from '../../../../apps/server/src/context.ts';

export function openCluster(ctx: Context, servers: TestServers['servers']): TestServers {
  return { ...openTestFixture(ctx, servers[0]!.url), servers };
}

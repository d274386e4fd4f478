import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    projects: [
      { test: { name: 'protocol', include: ['packages/protocol/src/**/*.test.ts'] } },
      { test: { name: 'client', include: ['packages/client/src/**/*.test.ts', 'packages/client/test/*.test.ts'] } },
      {
        test: {
          name: 'pair',
          testTimeout: 15_000,
          include: ['packages/client/test/pair/*.test.ts'],
          globalSetup: 'apps/server/test/global-setup.ts',
        },
      },
      { test: { name: 'web', environment: 'happy-dom', include: ['apps/web/{src,finish}/**/*.test.{ts,tsx}'] } },
      {
        test: {
          name: 'server',
          testTimeout: 20_000,
          hookTimeout: 20_000,
          include: ['apps/server/{src,test}/**/*.test.ts'],
          globalSetup: 'apps/server/test/global-setup.ts',
        },
      },
      { test: { name: 'walls', hookTimeout: 60_000, include: ['tools/src/walls/**/*.test.ts'] } },
      { test: { name: 'tools', testTimeout: 30_000, include: ['tools/src/{servers,dev}/**/*.test.ts'] } },
    ],
  },
});

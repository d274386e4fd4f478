import { defineConfig } from 'vitest/config';

/** What ends a test that waits in vain. No promise is measured by it: a busy machine may take its time. */
const patience = { testTimeout: 150_000, hookTimeout: 150_000, expect: { poll: { timeout: 60_000 } } };

export default defineConfig({
  test: {
    // The engines' tests wait more than they compute: one worker per core, where the default leaves one core idle.
    maxWorkers: '100%',
    projects: [
      { test: { name: 'protocol', include: ['packages/protocol/src/**/*.test.ts'] } },
      {
        test: {
          ...patience,
          name: 'client',
          include: ['packages/client/src/**/*.test.ts', 'packages/client/test/*.test.ts'],
          setupFiles: 'packages/client/test/set-up.ts',
        },
      },
      {
        test: {
          ...patience,
          name: 'pair',
          include: ['packages/client/test/pair/*.test.ts'],
          setupFiles: 'packages/client/test/set-up.ts',
          globalSetup: 'apps/server/test/global-setup.ts',
        },
      },
      {
        test: {
          ...patience,
          name: 'web',
          environment: 'happy-dom',
          include: ['apps/web/{src,finish}/**/*.test.{ts,tsx}'],
        },
      },
      { test: { ...patience, name: 'amadeus', include: ['apps/amadeus/src/**/*.test.ts'] } },
      {
        test: {
          ...patience,
          name: 'server',
          include: ['apps/server/{src,test}/**/*.test.ts'],
          globalSetup: 'apps/server/test/global-setup.ts',
        },
      },
      { test: { ...patience, name: 'walls', include: ['tools/src/walls/**/*.test.ts'] } },
      { test: { ...patience, name: 'tools', include: ['tools/src/{servers,dev,bundle,deploy}/**/*.test.ts'] } },
    ],
  },
});

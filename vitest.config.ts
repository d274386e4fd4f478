import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { sabotage } from './packages/client/test/sabotage/vite-plugin.ts';

const shared = {
  // Limits for tests that hang. Nothing is measured by them: a machine slowed five times still meets them.
  testTimeout: 150_000,
  hookTimeout: 150_000,
  expect: { poll: { timeout: 60_000 } },
  // Files of one project share a module graph: importing it again for each file took a third of the time.
  isolate: false,
};

export default defineConfig({
  test: {
    // Integration tests wait for engines half of the time: two workers per core keep the cores busy.
    maxWorkers: 2 * availableParallelism(),
    // Tests without a tag belong to `./dev check`. A file states another tier, and why, by `@module-tag`.
    tags: [
      { name: 'gate', description: 'Too slow for ./dev check; runs before a merge.' },
      { name: 'nightly', description: 'Too slow for the gate; runs in ./dev nightly.' },
    ],
    projects: [
      { test: { ...shared, name: 'protocol', include: ['packages/protocol/src/**/*.test.ts'] } },
      {
        plugins: [sabotage()],
        test: {
          ...shared,
          name: 'client',
          include: ['packages/client/src/**/*.test.ts', 'packages/client/test/*.test.ts'],
          setupFiles: 'packages/client/test/set-up.ts',
        },
      },
      {
        plugins: [sabotage()],
        test: {
          ...shared,
          name: 'pair',
          include: ['packages/client/test/pair/*.test.ts', 'examples/*/*.test.ts'],
          setupFiles: ['packages/client/test/set-up.ts', 'apps/server/test/attach-server-log.ts'],
          globalSetup: 'apps/server/test/global-setup.ts',
        },
      },
      {
        test: {
          ...shared,
          name: 'web',
          environment: 'happy-dom',
          include: ['apps/web/{src,build-steps}/**/*.test.{ts,tsx}'],
        },
      },
      { test: { ...shared, name: 'amadeus', include: ['apps/amadeus/src/**/*.test.ts'] } },
      {
        test: {
          ...shared,
          name: 'server',
          include: ['apps/server/{src,test}/**/*.test.ts'],
          setupFiles: 'apps/server/test/attach-server-log.ts',
          globalSetup: 'apps/server/test/global-setup.ts',
        },
      },
      { test: { ...shared, name: 'boundaries', include: ['tools/src/boundaries/**/*.test.ts'] } },
      { test: { ...shared, name: 'tools', include: ['tools/src/{servers,dev,bundle,deploy}/**/*.test.ts'] } },
    ],
  },
});

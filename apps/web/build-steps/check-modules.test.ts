import { expect, test } from 'vitest';
import { findForbiddenModules, hasOtherSendPath } from './check-modules.ts';

const contract = 'packages/protocol/src/contract/messages.ts';
const perform = 'packages/client/src/outbox/jobs.ts';
const testPackages = new Set(['fast-check', 'vitest']);

function check(modules: string[], importers: Record<string, string[]> = {}): string[] {
  return findForbiddenModules({ scripts: { 'assets/page.js': modules }, importers }, testPackages);
}

test('the site may contain our own sources, production packages and the bundler’s own modules', () => {
  const found = check([
    'apps/web/src/root.tsx',
    perform,
    contract,
    'node_modules/.pnpm/react@19.3.1/node_modules/react/index.js',
    '\0rolldown/runtime.js',
  ]);
  expect(found).toEqual([]);
});

test.each([
  'packages/client/test/clear-key-ring.ts',
  'packages/client/src/testing/ring.ts',
  'apps/web/src/worker/fake-caches.ts',
  'apps/web/src/core/notifications/push.test.ts',
  'apps/server/src/config.ts',
  'e2e/support/sign-up.ts',
  'e2e/fixtures/world.ts',
  'tools/src/servers/index.ts',
  'node_modules/.pnpm/fast-check@4.10.2/node_modules/fast-check/lib/fast-check.js',
])('%s is found', (id) => {
  expect(check([perform, id])).toEqual([`${id} must not be in the site`]);
});

test('only the listed modules may import the send endpoint, or make a client with keys', () => {
  expect(check([], { [contract]: [perform] })).toEqual([]);
  expect(check([], { [contract]: [perform, 'apps/web/src/core/notifications/push.ts'] })).toEqual([
    `apps/web/src/core/notifications/push.ts imports ${contract}, through which messages leave the browser`,
  ]);
  expect(check([], { 'packages/client/src/client.ts': ['apps/web/src/features/walk/walk.ts'] })).toHaveLength(1);
});

test('a script that contains the send path itself is found', () => {
  expect(hasOtherSendPath('x({path:"/api/messages/send"})', [contract])).toBe(false);
  expect(hasOtherSendPath('fetch("/api/messages/send")', [perform])).toBe(true);
  expect(hasOtherSendPath('x({path:"/api/messages/send"});fetch("/api/messages/send")', [contract])).toBe(true);
});

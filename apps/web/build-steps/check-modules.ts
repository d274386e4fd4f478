// Checks the site's modules: only our own sources and production packages, and only one way to send, which encrypts.
import type { ModuleRecord } from './record-modules.ts';

/** All other code of the repository is tests, proofs, tools or the server. */
const OWN_SOURCES = /^(?:apps\/web|packages\/client|packages\/protocol)\/src\//;
/** Test support in the same folder as the tested code. */
const TEST_SUPPORT = /\.(?:test|spec)\.[jt]sx?$|\/fake-[^/]+$|\/(?:testing|test|tests|fixtures|__\w+__)\//;
const PACKAGE = /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//;
/** Modules that the bundler makes. */
const VIRTUAL = /^\0|^__vite-|^virtual:/;

const SEND_PATH = '/api/messages/send';
const SEND_CONTRACT = 'packages/protocol/src/contract/messages.ts';

/**
 * The modules through which a message could leave the browser, and the only ones that may import each. `jobs.ts` sends
 * what the client has encrypted; `open-client.ts` and `service-worker-client.ts` give the client the encryption engine.
 */
const GUARDED: [RegExp, string[]][] = [
  [
    /^packages\/protocol\/src\/contract\/messages\.ts$/,
    ['packages/client/src/messages/timeline/history.ts', 'packages/client/src/outbox/jobs.ts'],
  ],
  [
    /^packages\/protocol\/src\/contract\/to-device\.ts$/,
    [
      'packages/client/src/crypto/engine/request-sender.ts',
      'packages/client/src/crypto/devices/verification.ts',
      'packages/client/src/trust/trust-sync.ts',
    ],
  ],
  [
    /^packages\/client\/src\/client\.ts$/,
    ['apps/web/src/core/messenger/open-client.ts', 'packages/client/src/sync/service-worker-client.ts'],
  ],
  [/\/node_modules\/appwrite\//, ['apps/web/src/core/appwrite/service-client.ts']],
];

/** One line for each module that must not be in the site, and for each import of a guarded module that is not listed. */
export function findForbiddenModules(
  { scripts, importers }: ModuleRecord,
  testPackages: ReadonlySet<string>,
): string[] {
  const modules = new Set(Object.values(scripts).flat());
  const foreign = [...modules].filter((id) => isForeign(id, testPackages));
  const unlisted = Object.entries(importers).flatMap(([id, from]) => {
    const allowed = GUARDED.find(([guarded]) => guarded.test(id))?.[1];
    if (allowed === undefined) return [];
    return from
      .filter((one) => !allowed.includes(one) && !PACKAGE.test(one))
      .map((one) => `${one} imports ${id}, through which messages leave the browser`);
  });
  return [...foreign.map((id) => `${id} must not be in the site`), ...unlisted];
}

function isForeign(id: string, testPackages: ReadonlySet<string>): boolean {
  if (VIRTUAL.test(id)) return false;
  const name = PACKAGE.exec(id)?.[1];
  if (name !== undefined) return testPackages.has(name);
  return !OWN_SOURCES.test(id) || TEST_SUPPORT.test(id);
}

/** Whether a script contains the path of the send endpoint outside the endpoint's own contract. */
export function hasOtherSendPath(code: string, modules: readonly string[]): boolean {
  const count = code.split(SEND_PATH).length - 1;
  return count > (modules.includes(SEND_CONTRACT) ? 1 : 0);
}

// One violating sample for each boundary, each with a clean twin that does the same thing the right way.

export interface Sample {
  boundary: string;
  enforcedBy: 'compiler' | 'linter';
  /** Part of the complaint that has to come: an error code, a rule, a message. */
  expectedMessage: string;
  bad: SourceFile;
  good: SourceFile;
}

export interface SourceFile {
  path: string;
  text: string;
}

function compiler(boundary: string, expectedMessage: string, bad: SourceFile, good: SourceFile): Sample {
  return { boundary, enforcedBy: 'compiler', expectedMessage, bad, good };
}

function linter(boundary: string, expectedMessage: string, bad: SourceFile, good: SourceFile): Sample {
  return { boundary, enforcedBy: 'linter', expectedMessage, bad, good };
}

function file(path: string, text: string): SourceFile {
  return { path, text: `${text}\n` };
}

const feature = 'apps/server/src/features/people';
const messaging = 'apps/server/src/features/messaging';
const platform = 'apps/server/src/platform';
const web = 'apps/web/src';

const unresolvableImports: Sample[] = [
  compiler(
    'the server cannot import the client',
    'TS2307',
    file(`${platform}/bad-client.ts`, "export { createClient } from '@dostar/client';"),
    file(`${platform}/good-client.ts`, "export { AppError } from '@dostar/protocol/errors';"),
  ),
  compiler(
    'the web cannot import the server',
    'TS2307',
    file(`${web}/core/bad-server.ts`, "export * from '@dostar/server/testing';"),
    file(`${web}/core/good-server.ts`, "export { useState } from 'react';"),
  ),
  compiler(
    "a package's internals can't be imported",
    'TS2307',
    file(`${platform}/bad-inside.ts`, "export { AppError } from '@dostar/protocol/src/errors.ts';"),
    file(`${platform}/good-inside.ts`, "export { AppError } from '@dostar/protocol/errors';"),
  ),
  compiler(
    'protocol does not know Node',
    "Cannot find name 'process'",
    file('packages/protocol/src/bad-node.ts', 'export const platform = process.platform;'),
    file('packages/protocol/src/good-node.ts', "export const platform = 'any';"),
  ),
  compiler(
    'protocol does not know the DOM',
    "Cannot find name 'document'",
    file('packages/protocol/src/bad-dom.ts', 'export const title = document.title;'),
    file('packages/protocol/src/good-dom.ts', 'export const title = JSON.stringify(1);'),
  ),
  compiler(
    'the client has a database but no document',
    "Cannot find name 'document'",
    file('packages/client/src/bad-document.ts', 'export const title = document.title;'),
    file('packages/client/src/good-document.ts', 'export const factory = indexedDB;'),
  ),
  compiler(
    'the server has no window',
    "Cannot find name 'window'",
    file(`${platform}/bad-window.ts`, 'export const width = window.innerWidth;'),
    file(`${platform}/good-window.ts`, 'export const pid = process.pid;'),
  ),
  compiler(
    'types are stripped, so nothing may need compiling',
    'TS1294',
    file(`${platform}/bad-enum.ts`, 'export enum Color {\n  Red,\n}'),
    file(`${platform}/good-enum.ts`, "export type Color = 'red';"),
  ),
];

const importDirections: Sample[] = [
  linter(
    'the server never opens a message',
    'The server never opens a message.',
    file('apps/server/src/roles/bad-engine.ts', "export { OlmMachine } from '@matrix-org/matrix-sdk-crypto-wasm';"),
    file('apps/server/src/roles/good-engine.ts', "export { AppError } from '@dostar/protocol/errors';"),
  ),
  linter(
    'only client/crypto knows the engine',
    'Only client/crypto knows the engine.',
    file('packages/client/src/bad-engine.ts', "export { OlmMachine } from '@matrix-org/matrix-sdk-crypto-wasm';"),
    file(
      'packages/client/src/crypto/good-engine.ts',
      "export { OlmMachine } from '@matrix-org/matrix-sdk-crypto-wasm';",
    ),
  ),
  linter(
    'the product imports nothing from a testing package',
    'The product imports nothing from a testing package.',
    file(`${web}/core/bad-testing.ts`, "export { openClearKeyRing } from '@dostar/client/testing';"),
    file(`${web}/core/good-testing.ts`, "export { createClient } from '@dostar/client';"),
  ),
  linter(
    'a store speaks SQL and does not call its service',
    'A store speaks SQL and nothing else.',
    file(`${feature}/bad-store/store.ts`, "export { decide } from './service.ts';"),
    file(`${feature}/good-store/store.ts`, "export { query } from '../../../platform/postgres/pools.ts';"),
  ),
  linter(
    'a store does not publish to the bus',
    'A store speaks SQL and nothing else.',
    file(`${feature}/bad-bus/store.ts`, "export { publish } from '../../../platform/bus/bus.ts';"),
    file(`${feature}/good-bus/service.ts`, "export { publish } from '../../../platform/bus/bus.ts';"),
  ),
  linter(
    'a service does not know HTTP',
    'Services do not know HTTP.',
    file(`${feature}/bad-http/service.ts`, "export { fastify } from 'fastify';"),
    file(`${feature}/good-http/service.ts`, "export { list } from './store.ts';"),
  ),
  linter(
    'a service does not know how HTTP is mounted',
    'Services do not know HTTP.',
    file(`${feature}/bad-mount/service.ts`, "export { mount } from '../../../platform/http/server.ts';"),
    file(`${feature}/good-mount/routes.ts`, "export { mount } from '../../../platform/http/server.ts';"),
  ),
  linter(
    "a store does not know another feature's service",
    'A store speaks SQL and nothing else.',
    file(`${feature}/bad-neighbour/store.ts`, "export { decide } from '../good-http/service.ts';"),
    file(`${feature}/good-neighbour/service.ts`, "export { decide } from '../good-http/service.ts';"),
  ),
  linter(
    'a service does not know its routes',
    'Services do not know HTTP.',
    file(`${feature}/bad-routes/service.ts`, "export { mount } from './routes.ts';"),
    file(`${feature}/good-routes/routes.ts`, "export { decide } from './service.ts';"),
  ),
  linter(
    "another feature's door is its service",
    "Another feature's door is its service.ts.",
    file(`${feature}/bad-door/routes.ts`, "export { list } from '../good-http/store.ts';"),
    file(`${feature}/good-door/routes.ts`, "export { list } from '../good-http/service.ts';"),
  ),
  linter(
    'a feature of another domain is used through its service',
    "Another feature's door is its service.ts.",
    file(`${feature}/bad-domain/routes.ts`, "export { list } from '../../encryption/vault/store.ts';"),
    file(`${feature}/good-domain/routes.ts`, "export { list } from '../../encryption/vault/service.ts';"),
  ),
  linter(
    'messaging knows the sessions of identity and nothing else of it',
    'of identity, only that of sessions.',
    file(`${messaging}/bad-identity/routes.ts`, "export { find } from '../../identity/accounts/service.ts';"),
    file(`${messaging}/good-identity/routes.ts`, "export { find } from '../../identity/sessions/service.ts';"),
  ),
  linter(
    "a part of the Appwrite-compatible API uses another's service",
    "Another feature's door is its service.ts.",
    file('apps/server/src/appwrite/bad-door/routes.ts', "export { list } from '../files/store.ts';"),
    file('apps/server/src/appwrite/good-door/routes.ts', "export { AppwriteError } from '../errors.ts';"),
  ),
  linter(
    "the Appwrite-compatible API uses a feature's service",
    "Another feature's door is its service.ts.",
    file(
      'apps/server/src/appwrite/bad-feature/routes.ts',
      "export { list } from '../../features/people/good-http/store.ts';",
    ),
    file(
      'apps/server/src/appwrite/good-feature/routes.ts',
      "export { list } from '../../features/people/good-http/service.ts';",
    ),
  ),
  linter(
    'features do not import the Appwrite-compatible API',
    'Only roles/ mounts appwrite/.',
    file(`${feature}/bad-leaf/service.ts`, "export { list } from '../../../appwrite/files/service.ts';"),
    file(`${feature}/good-leaf/service.ts`, "export { rolesOf } from '@dostar/protocol/appwrite/permissions';"),
  ),
  linter(
    'operator commands do not import the Appwrite-compatible API',
    'Only roles/ mounts appwrite/.',
    file('apps/server/src/cli/bad-leaf.ts', "export { list } from '../appwrite/files/service.ts';"),
    file('apps/server/src/roles/good-leaf.ts', "export { list } from '../appwrite/files/service.ts';"),
  ),
  linter(
    'platform is below the Appwrite-compatible API',
    'platform/ is below features/.',
    file(`${platform}/bad-leaf.ts`, "export { list } from '../appwrite/files/service.ts';"),
    file(`${platform}/good-leaf.ts`, "export { rolesOf } from '@dostar/protocol/appwrite/permissions';"),
  ),
  linter(
    'a use case is a door of identity, for the Appwrite-compatible API too',
    "Another feature's door is its service.ts.",
    file(
      'apps/server/src/appwrite/bad-use-case/service.ts',
      "export { remove } from '../../features/identity/sign-ups/store.ts';",
    ),
    file(
      'apps/server/src/appwrite/good-use-case/service.ts',
      "export { remove } from '../../features/identity/use-cases/remove-account.ts';",
    ),
  ),
  linter(
    'features do not know who starts them',
    'Features do not know who starts them.',
    file(`${feature}/bad-starter/jobs.ts`, "export { readConfig } from '../../../config.ts';"),
    file(`${feature}/good-starter/jobs.ts`, "export type { Context } from '../../../context.ts';"),
  ),
  linter(
    'platform is below features',
    'platform/ is below features/.',
    file(`${platform}/bad-upward.ts`, "export { list } from '../features/people/good-http/service.ts';"),
    file(`${platform}/good-upward.ts`, "export { publish } from './bus/bus.ts';"),
  ),
  linter(
    'features of the web do not import each other',
    'Features meet in app/.',
    file(`${web}/features/bad-sideways/page.ts`, "export { send } from '../chat/send.ts';"),
    file(`${web}/features/good-sideways/page.ts`, "export { useLive } from '../../core/lib/use-live.ts';"),
  ),
  linter(
    'folders inside a feature of the web do not import another feature',
    'Features meet in app/.',
    file(`${web}/features/settings/bad-inside/page.ts`, "export { send } from '../../auth/send.ts';"),
    file(`${web}/features/settings/good-inside/page.ts`, "export { row } from '../rows/row.ts';"),
  ),
  linter(
    'what features share does not import features',
    'forms/ is below features/.',
    file(`${web}/forms/bad-higher.ts`, "export { send } from '../features/auth/send.ts';"),
    file(`${web}/forms/good-higher.ts`, "export { Button } from '../ui/button.tsx';"),
  ),
  linter(
    'features of the web do not import the app around them',
    'Features meet in app/.',
    file(`${web}/features/bad-app/page.ts`, "export { paths } from '../../app/paths.ts';"),
    file(`${web}/features/good-app/page.ts`, "export { Button } from '../../ui/button.tsx';"),
  ),
  linter(
    'ui knows no domain',
    'ui/ knows no domain.',
    file(`${web}/ui/bad-domain.ts`, "export { AppError } from '@dostar/protocol/errors';"),
    file(`${web}/ui/good-domain.ts`, "export { useState } from 'react';"),
  ),
  linter(
    'core joins React to the client and knows no screen',
    'core/ joins React to the client.',
    file(`${web}/core/bad-screen.ts`, "export { send } from '../features/chat/send.ts';"),
    file(`${web}/core/good-screen.ts`, "export { useSyncExternalStore } from 'react';"),
  ),
];

const conventions: Sample[] = [
  linter(
    'no import cycles',
    'import(no-cycle)',
    file(
      `${platform}/bad-cycle.ts`,
      "import { bad } from './bad-cycle-back.ts';\n\nexport const start = (): unknown => bad;",
    ),
    file(
      `${platform}/good-cycle.ts`,
      "import { back } from './good-cycle-back.ts';\n\nexport const start = (): unknown => back;",
    ),
  ),
  linter(
    'no import cycles of types',
    'import(no-cycle)',
    file(
      `${platform}/bad-type-cycle.ts`,
      "import type { Back } from './bad-type-cycle-back.ts';\n\nexport interface Start {\n  back: Back;\n}",
    ),
    file(
      `${platform}/good-type-cycle.ts`,
      "import type { Back } from './good-type-cycle-back.ts';\n\nexport interface Start {\n  back: Back;\n}",
    ),
  ),
  linter(
    'only main reads the environment',
    'node(no-process-env)',
    file(`${platform}/bad-environment.ts`, 'export const home = process.env.HOME;'),
    file('apps/server/src/main.ts', 'export const home = process.env.HOME;'),
  ),
  linter(
    'features take the time from the clock they are given',
    'Use ctx.clock.',
    file(`${feature}/bad-time/jobs.ts`, 'export const now = (): number => Date.now();'),
    file(`${feature}/good-time/jobs.ts`, 'export const now = (clock: { now(): number }): number => clock.now();'),
  ),
  linter(
    'no floating promise',
    'typescript(no-floating-promises)',
    file(`${platform}/bad-promise.ts`, 'export function start(work: () => Promise<void>): void {\n  work();\n}'),
    file(
      `${platform}/good-promise.ts`,
      'export async function start(work: () => Promise<void>): Promise<void> {\n  await work();\n}',
    ),
  ),
  linter(
    'no default export',
    'import(no-default-export)',
    file(`${platform}/bad-default.ts`, 'export default 1;'),
    file(`${platform}/good-default.ts`, 'export const one = 1;'),
  ),
  linter(
    'no any',
    'typescript(no-explicit-any)',
    file(`${platform}/bad-any.ts`, 'export const loose = (value: any): number => value;'),
    file(`${platform}/good-any.ts`, 'export const strict = (value: number): number => value;'),
  ),
  linter(
    'every switch over a union is closed',
    'typescript(switch-exhaustiveness-check)',
    file(
      `${platform}/bad-switch.ts`,
      "export function rank(size: 'big' | 'small'): number {\n  switch (size) {\n    case 'big':\n      return 2;\n  }\n  return 0;\n}",
    ),
    file(
      `${platform}/good-switch.ts`,
      "export function rank(size: 'big' | 'small'): number {\n  switch (size) {\n    case 'big':\n      return 2;\n    case 'small':\n      return 1;\n  }\n}",
    ),
  ),
  linter(
    'files are named in kebab-case',
    'unicorn(filename-case)',
    file(`${platform}/BadName.ts`, 'export const one = 1;'),
    file(`${platform}/good-name.ts`, 'export const one = 1;'),
  ),
];

export const samples: Sample[] = [...unresolvableImports, ...importDirections, ...conventions];

/** What the samples lean on. */
export const supportFiles: SourceFile[] = [
  file(
    `${platform}/bad-cycle-back.ts`,
    "import { start } from './bad-cycle.ts';\n\nexport const bad = (): unknown => start;",
  ),
  file(`${platform}/good-cycle-back.ts`, 'export const back = 1;'),
  file(
    `${platform}/bad-type-cycle-back.ts`,
    "import type { Start } from './bad-type-cycle.ts';\n\nexport interface Back {\n  start: Start;\n}",
  ),
  file(`${platform}/good-type-cycle-back.ts`, 'export type Back = string;'),
];

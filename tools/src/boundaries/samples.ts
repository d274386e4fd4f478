// One violating sample for each boundary, each with a clean twin that does the same thing the right way.
import { compiler, file, linter } from './sample.ts';
import type { Sample, SourceFile } from './sample.ts';
import { serverDirections } from './server-samples.ts';

const feature = 'apps/server/src/features/people';
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

export const samples: Sample[] = [...unresolvableImports, ...serverDirections, ...importDirections, ...conventions];

/** Files that the samples import. */
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

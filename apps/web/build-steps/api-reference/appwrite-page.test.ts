// @vitest-environment node
/** Compares docs/api/appwrite.md, which lists what the SDK can call here, with the routes, the SDK and its proof. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as sdk from 'appwrite';
import { expect, test } from 'vitest';
import type { OpenApi } from './open-api.ts';

const root = join(import.meta.dirname, '../../../..');
const page = readFileSync(join(root, 'docs/api/appwrite.md'), 'utf8');
const [, supportedPart = '', missingPart = ''] =
  /^## Supported$([\s\S]*?)^## Different$[\s\S]*?^## Missing$([\s\S]*)/m.exec(page) ?? [];
/** Supported SDK methods, by the assertions of the proof that call them. */
const supported = new Map(
  [...supportedPart.matchAll(/^\| `(\w+\.\w+)` .*\| ([^|]+?) *\|$/gm)].map(([, method = '', assertions = '']) => [
    method,
    assertions,
  ]),
);

test('the page names each SDK method that a route answers, and no other', () => {
  const document = JSON.parse(readFileSync(join(root, 'docs/api/v1.json'), 'utf8')) as OpenApi;
  const routes = Object.values(document.paths).flatMap((calls) => Object.values(calls));
  const answered = new Set(routes.map((call) => call['x-sdk-method']).filter((method) => method !== undefined));
  expect([...supported.keys()].toSorted()).toEqual([...answered].toSorted());
});

test('the proof calls exactly the methods that have assertions', () => {
  const proof = globSync(join(root, 'proofs/src/appwrite/sdk/**/*.ts'))
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n');
  const isCalled = (method: string): boolean => new RegExp(`\\.${method.split('.')[1]}\\(`).test(proof);
  const titles = new Set([...proof.matchAll(/^ {2}(\d+): '/gm)].map(([, number]) => number));
  for (const [method, assertions] of supported) {
    expect(isCalled(method), method).toBe(assertions !== 'none');
    if (assertions !== 'none') for (const number of assertions.split(', ')) expect(titles, method).toContain(number);
  }
});

test('the page lists each method of the SDK as supported or missing', () => {
  const classes = { account: sdk.Account, databases: sdk.Databases, storage: sdk.Storage, messaging: sdk.Messaging };
  const known = new Set([...supported.keys()].map((method) => method.toLowerCase()));
  // Older names of the same methods.
  const aliases = new Set(['account.createVerification', 'account.updateVerification']);
  const missing = Object.entries(classes).flatMap(([name, { prototype }]) =>
    Object.getOwnPropertyNames(prototype)
      .filter((method) => method !== 'constructor')
      .filter((method) => !known.has(`${name}.${method}`.toLowerCase()) && !aliases.has(`${name}.${method}`)),
  );
  const listed = [...missingPart.matchAll(/^\| `(?:Account|Databases)` +\|(.*)\|$/gm)].flatMap(([, cell = '']) =>
    [...cell.matchAll(/`(\w+)`/g)].map(([, method = '']) => method),
  );
  expect(listed.toSorted()).toEqual(missing.toSorted());
});

test('the page lists every other class that makes calls as missing', () => {
  const listed = [...missingPart.matchAll(/^\| other classes +\|(.*)\|$/gm)].map(([, cell]) => cell).join(' ');
  const present = ['Account', 'Client', 'Databases', 'Messaging', 'Realtime', 'Storage'];
  const helpers = ['AppwriteException', 'Channel', 'ID', 'Operator', 'Permission', 'Query', 'Role'];
  const classes = Object.entries(sdk)
    .filter(([, value]) => typeof value === 'function' && 'prototype' in value && value.prototype !== undefined)
    .map(([name]) => name);
  expect([...listed.matchAll(/`(\w+)`/g)].map(([, name]) => name)).toEqual(
    classes.filter((name) => ![...present, ...helpers].includes(name)).toSorted(),
  );
});

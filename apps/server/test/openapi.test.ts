/**
 * The OpenAPI documents of both APIs are committed files, generated from the routes that a server mounts. `vitest run
 * --project server test/openapi.test.ts -u` writes them again.
 */
import { readFileSync } from 'node:fs';
import { Validator } from '@seriousme/openapi-schema-validator';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { AppwriteHttp } from '../src/appwrite/http.ts';
import { mountApi } from '../src/roles/api.ts';
import { mountAppwriteRoutes } from '../src/roles/appwrite.ts';
import { callNobody, openIdleHttp } from './idle-http.ts';
import { writeApiDocument } from './openapi/api-document.ts';
import { writeAppwriteDocument } from './openapi/appwrite-document.ts';
import type { Json } from './openapi/json-schemas.ts';
import { type Contracts, readContracts } from './openapi/read-contracts.ts';
import { startTestCluster } from './test-cluster.ts';
import type { TestCluster } from './test-cluster.ts';

const ROOT = new URL('../../../', import.meta.url);

interface Operation {
  operationId: string;
  summary: string;
}
interface Surface {
  file: string;
  document: Json & { paths: Record<string, Record<string, Operation>> };
  /** Routes of the router, independent of the documentation of the routes. */
  mounted: string[];
}

let cluster: TestCluster;
let contracts: Contracts;
const surfaces: Surface[] = [];
beforeAll(async () => {
  cluster = await startTestCluster({ postgresUrl: inject('postgresUrl'), natsUrl: inject('natsUrl') });
  contracts = await readContracts();
  surfaces.push(await mountApiSurface(), await mountAppwriteSurface());
});
afterAll(() => cluster[Symbol.asyncDispose]());

function readVersion(): string {
  return (JSON.parse(readFileSync(new URL('package.json', ROOT), 'utf8')) as { version: string }).version;
}

async function mountApiSurface(): Promise<Surface> {
  const http = openIdleHttp(cluster.ctx);
  const mounted = listMounted(http.app);
  mountApi(http, cluster.ctx);
  await http.close();
  const document = writeApiDocument(http.routes, contracts, readVersion());
  return { file: 'docs/api/openapi.json', document: document as Surface['document'], mounted };
}

async function mountAppwriteSurface(): Promise<Surface> {
  const http = openIdleHttp(cluster.ctx);
  const mounted = listMounted(http.app);
  const { limits, log } = cluster.ctx;
  const service = new AppwriteHttp(http.app, { project: '', origins: [], limits, log, identify: callNobody });
  mountAppwriteRoutes(service, cluster.ctx);
  await http.close();
  const document = writeAppwriteDocument(service.routes, readVersion());
  return { file: 'docs/api/v1.json', document: document as Surface['document'], mounted };
}

function listMounted(app: ReturnType<typeof openIdleHttp>['app']): string[] {
  const found: string[] = [];
  app.addHook('onRoute', ({ method, url }) => {
    // Leaves out HEAD, which Fastify adds to each GET, and `/*`, which answers unknown routes.
    for (const each of [method].flat()) if (each !== 'HEAD' && url !== '/*') found.push(`${each} ${url}`);
  });
  return found;
}

function listOperations({ document }: Surface): [string, Operation][] {
  return Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]): [string, Operation] => [
      `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`,
      operation,
    ]),
  );
}

test('the documents name every mounted route and no other', () => {
  for (const surface of surfaces) {
    expect(surface.mounted.length).toBeGreaterThan(50);
    expect(
      listOperations(surface)
        .map(([route]) => route)
        .toSorted(),
    ).toEqual(surface.mounted.toSorted());
  }
});

test('every contract is mounted', () => {
  const [api] = surfaces;
  const unmounted = [...contracts.endpoints].filter(
    ([{ method, path }]) => !api!.mounted.includes(`${method} ${path}`),
  );
  expect(unmounted.map(([, { name }]) => name)).toEqual([]);
});

/** Removes properties named `$id`, which the validator would take for ids of schemas. */
function withoutIdProperties(document: Json): Json {
  return JSON.parse(JSON.stringify(document).replaceAll('"$id"', '"id"')) as Json;
}

test('the documents are valid OpenAPI 3.1', async () => {
  for (const { document } of surfaces) {
    const validator = new Validator();
    const { valid, errors } = await validator.validate(withoutIdProperties(document));
    expect({ valid, errors }).toEqual({ valid: true, errors: undefined });
    expect(validator.version).toBe('3.1');
  }
});

test('each call has a unique name and a description', () => {
  for (const surface of surfaces) {
    const operations = listOperations(surface).map(([, operation]) => operation);
    expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length);
    for (const { summary } of operations) expect(summary).toMatch(/^[A-Z`][^\n]{5,80}[^.\s]$/);
  }
});

test('the committed documents are current', async () => {
  for (const { file, document } of surfaces) {
    await expect(`${JSON.stringify(document, null, 1)}\n`).toMatchFileSnapshot(new URL(file, ROOT).pathname);
  }
});

/** The OpenAPI document of `/api`, generated from the mounted routes and their contracts. */
import { CALL_HEADER, type Auth } from '@dostar/protocol/contract/endpoint';
import { TICKET_COOKIE } from '@dostar/protocol/contract/accounts';
import { SESSION_COOKIE } from '@dostar/protocol/contract/sessions';
import { ERRORS, type ErrorCode } from '@dostar/protocol/errors';
import { PROTOCOL_VERSION, VERSION_HEADER } from '@dostar/protocol/version';
import type { MountedRoute } from '../../src/platform/http/server.ts';
import { type Json, JsonSchemas } from './json-schemas.ts';
import { describeLimit, groupByStatus, header, json, OPENAPI_VERSION, PLACES } from './parts.ts';
import type { Contracts } from './read-contracts.ts';

const CALLERS: Record<Auth, string> = {
  anyone: 'Anyone',
  session: 'A signed-in device',
  pending: 'A signed-in device, also one that still owes a second factor',
  ticket: 'The browser that started a sign-up',
  self: 'A signed-in device or the browser that started a sign-up, for its own account',
};
const SESSION = { session: [] };
const TICKET = { ticket: [] };
const SECURITY: Record<Auth, Json[]> = {
  anyone: [],
  session: [SESSION],
  pending: [SESSION],
  ticket: [TICKET],
  self: [TICKET, SESSION],
};
/** Errors that are answered before the handler of a call runs. */
const EARLY_ERRORS: Record<Auth, ErrorCode[]> = {
  anyone: [],
  session: ['unauthenticated', 'factor_required', 'wrong_account'],
  pending: ['unauthenticated', 'wrong_account'],
  ticket: ['no_sign_up', 'wrong_account'],
  self: ['unauthenticated', 'factor_required', 'wrong_account'],
};
const CALL_ERRORS: ErrorCode[] = [
  'invalid_request',
  'forbidden',
  'outdated',
  'rate_limited',
  'internal',
  'unavailable',
];
const BYTES = { 'application/octet-stream': {} };

export function writeApiDocument(routes: MountedRoute[], contracts: Contracts, version: string): Json {
  const schemas = new JsonSchemas(contracts.schemas);
  const paths: Record<string, Json> = {};
  for (const route of routes) {
    const { method, path } = route.endpoint;
    paths[path] = { ...paths[path], [method.toLowerCase()]: describeOperation(route, contracts, schemas) };
  }
  return {
    openapi: OPENAPI_VERSION,
    info: {
      title: 'Dostar API',
      version,
      description:
        'The calls of the web app and of programs that use `@dostar/client`. Messages, files and account data are encrypted ' +
        'before they reach these calls. The protocol is in SPEC.md.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    tags: [...new Set(Object.values(paths).flatMap(listTags))].toSorted().map((name) => ({ name })),
    paths: Object.fromEntries(Object.entries(paths).toSorted(([one], [other]) => (one < other ? -1 : 1))),
    components: {
      securitySchemes: {
        session: { type: 'apiKey', in: 'cookie', name: SESSION_COOKIE, description: 'Set by a call that signs in.' },
        ticket: { type: 'apiKey', in: 'cookie', name: TICKET_COOKIE, description: 'Set by `startSignUp`.' },
      },
      parameters: {
        call: header(CALL_HEADER, {
          required: true,
          description: 'The account for which the caller acts, or `1`. Pages of other origins can not send it.',
        }),
        version: header(VERSION_HEADER, {
          description: `The protocol version of the caller, now ${PROTOCOL_VERSION}. Left out, it is not checked.`,
        }),
      },
      schemas: {
        Failure: {
          type: 'object',
          required: ['success', 'error'],
          properties: {
            success: { const: false },
            error: { enum: Object.keys(ERRORS) },
            details: { type: 'object', description: 'For `rate_limited`: `retryAfterMs`.' },
          },
        },
        ...sortByName(schemas.components),
      },
    },
  };
}

function describeOperation(route: MountedRoute, { endpoints }: Contracts, schemas: JsonSchemas): Json {
  const { kind, endpoint, summary, limit } = route;
  const { auth, body, reply, errors } = endpoint;
  const named = endpoints.get(endpoint as never) ?? {
    name: nameOf(endpoint.path),
    group: PLACES[kind],
    description: undefined,
  };
  const isCall = kind !== 'page' && kind !== 'picture';
  const known = [...new Set([...errors, ...(isCall ? [...EARLY_ERRORS[auth], ...CALL_ERRORS] : [])])];
  const isSent = body !== undefined && body.safeParse(undefined).error !== undefined;
  return {
    operationId: named.name,
    tags: [named.group],
    summary,
    ...(named.description !== undefined && { description: named.description }),
    security: SECURITY[auth],
    'x-caller': CALLERS[auth],
    'x-rate-limit': describeLimit(limit, auth === 'anyone' ? 'address' : 'account'),
    'x-reauthentication': errors.includes('reauthenticate'),
    'x-errors': known.toSorted(),
    parameters: [
      ...(isCall ? [{ $ref: '#/components/parameters/call' }, { $ref: '#/components/parameters/version' }] : []),
      ...Object.entries(route.headers ?? {}).map(([name, schema]) =>
        header(name, { required: true, schema: schemas.write(schema, 'input') }),
      ),
      ...(kind === 'download' ? [header('range', { description: '`bytes=5-9`, both ends included.' })] : []),
      ...(kind === 'picture' ? [{ name: 'token', in: 'query', required: true, schema: { type: 'string' } }] : []),
    ],
    ...(isSent && { requestBody: { required: true, content: json(schemas.write(body, 'input')) } }),
    ...(kind === 'upload' && { requestBody: { required: true, content: BYTES } }),
    responses: {
      ...describeSuccess(route, reply && schemas.write(reply, 'output')),
      ...groupByStatus(known, (code) => ERRORS[code].status),
    },
  };
}

function describeSuccess({ kind }: MountedRoute, reply: Json | undefined): Record<string, Json> {
  switch (kind) {
    case 'call':
      return { 200: { description: 'Done', content: json(reply ?? {}) } };
    case 'upload':
      return { 200: { description: 'Stored', content: json({ $ref: '#/components/schemas/Done' }) } };
    case 'download':
      return { 200: { description: 'All bytes', content: BYTES }, 206: { description: 'The range', content: BYTES } };
    case 'page':
      return { 303: { description: 'Leads to a page of the web app' } };
    case 'picture':
      return { 200: { description: 'The picture', content: { 'image/*': {} } } };
  }
}

/** For example `blobsChunk` for `/api/blobs/chunk`. */
function nameOf(path: string): string {
  return path.replace('/api/', '').replaceAll(/[/-](\w)/g, (_match, letter: string) => letter.toUpperCase());
}

function listTags(operations: Json): string[] {
  return Object.values(operations).flatMap((operation) => (operation as { tags: string[] }).tags);
}

function sortByName<T>(values: Record<string, T>): Record<string, T> {
  return Object.fromEntries(Object.entries(values).toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

/** The OpenAPI document of `/v1`, generated from the mounted routes. */
import type { AppwriteAuth, MountedAppwriteRoute } from '../../src/appwrite/http.ts';
import { AppwriteError, type AppwriteErrorType } from '../../src/appwrite/errors.ts';
import * as models from '../../src/appwrite/reply-models.ts';
import type { z } from 'zod';
import { type Json, JsonSchemas } from './json-schemas.ts';
import { describeLimit, groupByStatus, header, json, OPENAPI_VERSION } from './parts.ts';

const CALLERS: Record<AppwriteAuth, string> = {
  guest: 'Anyone; permissions decide what a guest may do',
  half: 'A signed-in user, also one who still owes a second factor',
  user: 'A signed-in user',
  key: 'A program with an API key',
};
const USER: Json[] = [{ cookie: [] }, { session: [] }, { jwt: [] }];
const SECURITY: Record<AppwriteAuth, Json[]> = {
  guest: [{}, ...USER, { key: [] }],
  half: USER,
  user: USER,
  key: [{ key: [] }],
};
const COMMON_ERRORS: AppwriteErrorType[] = [
  'general_argument_invalid',
  'general_unknown_origin',
  'general_rate_limit_exceeded',
  'general_server_error',
  'general_service_unavailable',
  'project_not_found',
  'user_api_key_and_session_set',
  'user_blocked',
  'user_jwt_and_cookie_set',
  'user_jwt_invalid',
];
const EARLY_ERRORS: Record<AppwriteAuth, AppwriteErrorType[]> = {
  guest: ['user_more_factors_required'],
  half: ['general_unauthorized_scope'],
  user: ['general_unauthorized_scope', 'user_more_factors_required'],
  key: ['general_unauthorized_scope'],
};

export function writeAppwriteDocument(routes: MountedAppwriteRoute[], version: string): Json {
  const schemas = new JsonSchemas(models);
  const paths: Record<string, Json> = {};
  for (const route of routes) {
    const path = toTemplate(route.path);
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: describeOperation(route, schemas) };
  }
  return {
    openapi: OPENAPI_VERSION,
    info: {
      title: 'Dostar /v1',
      version,
      description:
        'The part of the Appwrite API that this server has. Use it through the unmodified Appwrite SDKs; what they can call ' +
        'is in docs/api/appwrite.md. Data on `/v1` is not end-to-end encrypted.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/v1' }],
    tags: [...new Set(routes.map(groupOf))].toSorted().map((name) => ({ name })),
    paths: Object.fromEntries(Object.entries(paths).toSorted(([one], [other]) => (one < other ? -1 : 1))),
    components: {
      securitySchemes: {
        cookie: {
          type: 'apiKey',
          in: 'cookie',
          name: 'a_session_dostar',
          description: '`a_session_` and the project.',
        },
        session: { type: 'apiKey', in: 'header', name: 'X-Appwrite-Session' },
        jwt: { type: 'apiKey', in: 'header', name: 'X-Appwrite-JWT' },
        key: { type: 'apiKey', in: 'header', name: 'X-Appwrite-Key' },
      },
      parameters: {
        project: header('X-Appwrite-Project', { required: true, description: 'The project, `dostar` by default.' }),
      },
      schemas: {
        Failure: {
          type: 'object',
          required: ['message', 'code', 'type', 'version'],
          properties: {
            message: { type: 'string' },
            code: { type: 'integer', description: 'The HTTP status.' },
            type: { type: 'string' },
            version: { type: 'string' },
          },
        },
        ...schemas.components,
      },
    },
  };
}

function describeOperation(route: MountedAppwriteRoute, schemas: JsonSchemas): Json {
  const { path, mainPath, method, auth, docs, limits, isOpened } = route;
  const isAlias = path !== mainPath;
  const id = docs.sdk ?? `${method.toLowerCase()} ${mainPath}`;
  const errors = [...new Set([...(docs.errors ?? []), ...EARLY_ERRORS[auth], ...COMMON_ERRORS])];
  return {
    operationId: isAlias ? `${id} (${path})` : id,
    tags: [groupOf(route)],
    summary: docs.summary,
    ...(isAlias && { deprecated: true, description: `The path of older SDKs. Newer ones call \`${mainPath}\`.` }),
    security: SECURITY[auth],
    'x-caller': CALLERS[auth],
    ...(docs.sdk !== undefined && { 'x-sdk-method': docs.sdk }),
    'x-rate-limit': limits.map((limit, index) => describeLimit(limit, countedPer(route, index))),
    'x-reauthentication': errors.includes('user_challenge_required'),
    'x-errors': errors.toSorted(),
    parameters: [
      ...(isOpened ? [] : [{ $ref: '#/components/parameters/project' }]),
      ...[...path.matchAll(/:(\w+)/g)].map(([, name = '']) => ({
        name,
        in: 'path',
        required: true,
        schema: { type: 'string' },
      })),
      ...describeQuery(docs.query, schemas),
    ],
    ...(docs.body && { requestBody: { required: true, content: json(schemas.write(docs.body, 'input')) } }),
    ...(docs.form && {
      requestBody: {
        required: true,
        content: { 'multipart/form-data': { schema: schemas.write(docs.form, 'input') } },
      },
    }),
    responses: {
      ...describeSuccess(route, schemas),
      ...groupByStatus(errors, (type) => new AppwriteError(type).status),
    },
  };
}

/** The caller or address by which a limit counts. */
function countedPer({ docs, limits }: MountedAppwriteRoute, index: number): string {
  if (docs.form) return 'user or address, for each chunk number';
  // The second limit counts by a value in the body, such as an email address.
  if (index > 0) return 'person that the body names';
  return 'of' in limits[0]! ? 'address' : 'user or address';
}

function describeQuery(query: z.ZodObject | undefined, schemas: JsonSchemas): Json[] {
  return Object.entries(query?.shape ?? {}).map(([name, member]) => {
    const schema = member as z.ZodType;
    const required = !schema.safeParse(undefined).success;
    return { name, in: 'query', required, schema: schemas.write(schema, 'input') };
  });
}

function describeSuccess(
  { docs: { reply }, status }: MountedAppwriteRoute,
  schemas: JsonSchemas,
): Record<string, Json> {
  switch (reply) {
    case 'nothing':
      return { 204: { description: 'Done' } };
    case 'bytes':
      return {
        200: { description: 'All bytes', content: { '*/*': {} } },
        206: { description: 'The range', content: { '*/*': {} } },
      };
    case 'redirect':
      return { 302: { description: 'Leads on' } };
    default:
      return { [status]: { description: 'Done', content: json(schemas.write(reply, 'output')) } };
  }
}

function groupOf({ mainPath }: MountedAppwriteRoute): string {
  return mainPath.split('/')[1] ?? '';
}

function toTemplate(path: string): string {
  return path.replaceAll(/:(\w+)/g, '{$1}');
}

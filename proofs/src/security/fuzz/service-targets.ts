/** Every route of `/v1` that `isolation` lists, each with a valid request. */
import { SERVICE_ROUTES } from '../isolation/service-routes.ts';
import type { Fixture } from './fixture-pool.ts';
import { PROJECT } from './service-definition.ts';
import { SERVICE_PASSWORD } from './service-person.ts';
import type { Target } from './target.ts';

const ORIGIN = 'http://localhost:5173';
const BOUNDARY = 'xBOUNDARYx';
const THINGS = '/databases/:database/collections/:collection/documents';
const FILES = '/storage/buckets/:bucket/files';

type Make<T> = (fixture: Fixture) => T;

const DATA = {
  text: 'a thing',
  count: 3,
  weight: 1.5,
  isNew: true,
  at: '2026-01-02T03:04:05.678+00:00',
  tags: ['one', 'two'],
  counts: [1, 2, 3],
};
const brought: Make<object> = ({ service }) => ({ userId: service.id, secret: 'a'.repeat(64) });
const own: Make<string[]> = ({ service }) => [`read("user:${service.id}")`, `write("user:${service.id}")`];
const emailLink: Make<object> = () => ({ url: `${ORIGIN}/page?a=b` });

/** Valid bodies by route; routes that are missing here have no body. */
const BODIES: Record<string, Make<unknown>> = {
  'POST /account': ({ service }) => ({
    userId: 'unique()',
    email: `x${service.email}`,
    password: SERVICE_PASSWORD,
    name: 'Name',
  }),
  'POST /account/sessions/email': ({ service }) => ({ email: service.email, password: SERVICE_PASSWORD }),
  'POST /account/sessions': ({ service }) => ({ email: service.email, password: SERVICE_PASSWORD }),
  'PATCH /account/name': () => ({ name: 'Name' }),
  'PATCH /account/password': () => ({ password: SERVICE_PASSWORD, oldPassword: SERVICE_PASSWORD }),
  'PATCH /account/email': ({ service }) => ({ email: service.email, password: SERVICE_PASSWORD }),
  'PATCH /account/prefs': () => ({ prefs: { theme: 'dark', list: [1, 'two', null], deep: { a: { b: true } } } }),
  'POST /account/jwts': () => ({ duration: 60 }),
  'POST /account/jwt': () => ({ duration: 60 }),
  'POST /account/verifications/email': emailLink,
  'PUT /account/verifications/email': brought,
  'POST /account/verification': emailLink,
  'PUT /account/verification': brought,
  'POST /account/recovery': (fixture) => ({ email: fixture.service.email, ...emailLink(fixture) }),
  'PUT /account/recovery': (fixture) => ({ ...brought(fixture), password: SERVICE_PASSWORD }),
  'POST /account/targets/push': () => ({ targetId: 'unique()', identifier: 'identifier', providerId: 'provider' }),
  'PUT /account/targets/:target/push': () => ({ identifier: 'identifier' }),
  'POST /account/sessions/token': brought,
  'PATCH /account/mfa': () => ({ mfa: false }),
  'POST /account/mfa/challenges': () => ({ factor: 'email' }),
  'PUT /account/mfa/challenges': () => ({ challengeId: 'a'.repeat(20), otp: '123456' }),
  'POST /account/mfa/challenge': () => ({ factor: 'email' }),
  'PUT /account/mfa/challenge': () => ({ challengeId: 'a'.repeat(20), otp: '123456' }),
  'PUT /account/mfa/authenticators/:type': () => ({ otp: '123456' }),
  'POST /messaging/topics/:topic/subscribers': ({ service }) => ({
    subscriberId: 'unique()',
    targetId: service.spareTarget,
  }),
  [`POST ${THINGS}`]: (fixture) => ({ documentId: 'unique()', data: DATA, permissions: own(fixture) }),
  [`PUT ${THINGS}/:document`]: (fixture) => ({ data: DATA, permissions: own(fixture) }),
  [`PATCH ${THINGS}/:document`]: () => ({ data: { text: 'another', count: 5 } }),
  [`PATCH ${THINGS}/:document/:attribute/increment`]: () => ({ value: 2, max: 1_000_000 }),
  [`PATCH ${THINGS}/:document/:attribute/decrement`]: () => ({ value: 2, min: -1_000_000 }),
  [`POST ${FILES}`]: (fixture) => makeForm(own(fixture)),
  [`PUT ${FILES}/:file`]: (fixture) => ({ name: 'name.png', permissions: own(fixture) }),
  'POST /tokens/buckets/:bucket/files/:file': () => ({ expire: '2036-01-02T03:04:05.678+00:00' }),
};

const LIST_QUERIES = [
  { method: 'equal', attribute: 'text', values: ['a thing', 'another'] },
  {
    method: 'or',
    values: [
      { method: 'greaterThan', attribute: 'count', values: [1] },
      { method: 'isNull', attribute: 'weight' },
    ],
  },
  { method: 'between', attribute: 'at', values: ['2020-01-01T00:00:00Z', '2030-01-01T00:00:00Z'] },
  { method: 'contains', attribute: 'tags', values: ['one'] },
  { method: 'search', attribute: 'text', values: ['thing'] },
  { method: 'orderDesc', attribute: '$createdAt' },
  { method: 'limit', values: [5] },
  { method: 'offset', values: [0] },
];
const FILE_QUERIES = [
  { method: 'startsWith', attribute: 'name', values: ['pic'] },
  { method: 'lessThan', attribute: 'sizeOriginal', values: [1_000_000] },
  { method: 'orderAsc', attribute: 'name' },
  { method: 'limit', values: [5] },
];
const BACK = { project: PROJECT, success: `${ORIGIN}/yes`, failure: `${ORIGIN}/no` };
const PREVIEW = {
  project: PROJECT,
  width: '4',
  height: '4',
  gravity: 'top',
  quality: '80',
  borderWidth: '1',
  borderColor: 'ff0000',
  borderRadius: '1',
  opacity: '0.5',
  rotation: '90',
  background: '00ff00',
  output: 'png',
};

const QUERIES: Record<string, [string, string][]> = {
  [`GET ${THINGS}`]: [...toQueries(LIST_QUERIES), ['total', 'true']],
  [`GET ${THINGS}/:document`]: toQueries([{ method: 'select', values: ['text', 'count'] }]),
  [`GET ${FILES}`]: [...toQueries(FILE_QUERIES), ['search', 'pic']],
  [`GET ${FILES}/:file/download`]: [['project', PROJECT]],
  [`GET ${FILES}/:file/view`]: [['project', PROJECT]],
  [`GET ${FILES}/:file/preview`]: Object.entries(PREVIEW),
  'GET /account/sessions/oauth2/:provider': Object.entries(BACK),
  'GET /account/tokens/oauth2/:provider': Object.entries(BACK),
  'GET /account/sessions/oauth2/callback/google/:project': [
    ['state', 'state'],
    ['code', 'code'],
  ],
};

const HEADERS: Record<string, Record<string, string>> = {
  [`POST ${FILES}`]: { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` },
  [`GET ${FILES}/:file/download`]: { range: 'bytes=0-9' },
  [`GET ${FILES}/:file/view`]: { range: 'bytes=5-' },
};

/** Routes that are called without a session. */
const AS_GUEST = [
  'POST /account',
  'POST /account/sessions/email',
  'POST /account/sessions',
  'POST /account/sessions/token',
];

export function listServiceTargets(): Target[] {
  return Object.keys(SERVICE_ROUTES).map((route) => {
    const [method = '', path = ''] = route.split(' ');
    const names = path.split('/').slice(1);
    return {
      name: `${method} /v1${path}`,
      base(fixture) {
        const { service, address } = fixture;
        const filled: Record<string, string> = { ...NAMED, ...service };
        return {
          method,
          segments: ['v1', ...names.map((name) => (name.startsWith(':') ? (filled[name.slice(1)] ?? name) : name))],
          params: names.flatMap((name, at) => (name.startsWith(':') ? [at + 1] : [])),
          query: QUERIES[route] ?? [],
          headers: {
            'x-forwarded-for': address,
            'x-appwrite-project': PROJECT,
            ...(!AS_GUEST.includes(route) && { 'x-appwrite-session': service.secret }),
            ...HEADERS[route],
          },
          body: BODIES[route]?.(fixture),
        };
      },
    };
  });
}

/** Path parameters that do not belong to the account. */
const NAMED = {
  database: 'main',
  collection: 'things',
  attribute: 'count',
  bucket: 'files',
  session: 'current',
  provider: 'google',
  project: PROJECT,
  type: 'totp',
  topic: 'news',
};

function toQueries(queries: object[]): [string, string][] {
  return queries.map((query, at) => [`queries[${at}]`, JSON.stringify(query)]);
}

function makeForm(permissions: string[]): Buffer {
  const fields = [['fileId', 'unique()'], ['folder', 'a/b/'], ...permissions.map((text) => ['permissions[]', text])];
  const parts = fields.map(([name, value]) => `content-disposition: form-data; name="${name}"\r\n\r\n${value}`);
  const file =
    'content-disposition: form-data; name="file"; filename="words.txt"\r\ncontent-type: text/plain\r\n\r\nbytes';
  return Buffer.from(`${[...parts, file].map((part) => `--${BOUNDARY}\r\n${part}\r\n`).join('')}--${BOUNDARY}--\r\n`);
}

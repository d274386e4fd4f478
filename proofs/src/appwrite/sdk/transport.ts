import { AppwriteException } from 'appwrite';
import { expect, ORIGIN, raw, refused, same } from './fixture.ts';
import type { Assertion } from './fixture.ts';

const HEADERS =
  'Accept, Content-Type, Content-Range, Range, Cache-Control, X-Appwrite-Project, X-Appwrite-Key, X-Appwrite-Dev-Key, X-Appwrite-Locale, X-Appwrite-JWT, X-Appwrite-Session, X-Appwrite-ID, X-Appwrite-Response-Format, X-Appwrite-Timestamp, X-Appwrite-Impersonate-User-Id, X-Appwrite-Impersonate-User-Email, X-Appwrite-Impersonate-User-Phone, X-SDK-Name, X-SDK-Version, X-SDK-Language, X-SDK-Platform, X-Fallback-Cookies, X-Forwarded-User-Agent, Authorization';

export const TRANSPORT: Assertion[] = [
  { number: 1, run: async ({ guest }) => void (await guest.client.ping()) },
  {
    number: 2,
    run: async ({ makeClient }) => void (await refused(() => makeClient('nobody').ping(), 404, 'project_not_found')),
  },
  {
    number: 3,
    async run({ guest, endpoint }) {
      const headers = { 'X-Appwrite-Project': 'proof', 'content-type': 'application/json' };
      const call = () => guest.client.call('get', new URL(`${endpoint}/nope`), headers, {});
      await refused(call, 404, 'general_route_not_found');
    },
  },
  {
    number: 4,
    async run({ guest }) {
      const error = await guest.account.get().then(
        () => undefined,
        (reason: unknown) => reason,
      );
      expect(error instanceof AppwriteException, 'an exception of the package');
      const body = JSON.parse(error.response) as Record<string, unknown>;
      same(Object.keys(body).toSorted(), ['code', 'message', 'type', 'version'], 'members');
      same([body['code'], body['message']], [error.code, error.message], 'code and message');
    },
  },
  {
    number: 5,
    async run(fixture) {
      const asking = { origin: ORIGIN, 'access-control-request-method': 'GET' };
      const reply = await raw(fixture, '/account', { method: 'OPTIONS', headers: asking });
      same(reply.status, 204, 'status');
      same(reply.headers.get('access-control-allow-origin'), ORIGIN, 'origin');
      same(reply.headers.get('access-control-allow-credentials'), 'true', 'credentials');
      const allowed = reply.headers.get('access-control-allow-headers')?.toLowerCase().split(', ') ?? [];
      for (const name of HEADERS.toLowerCase().split(', ')) expect(allowed.includes(name), `allows ${name}`);
    },
  },
  {
    number: 6,
    async run(fixture) {
      const reply = await raw(fixture, '/account', { headers: { origin: ORIGIN } });
      same(reply.status, 401, 'status');
      same(reply.headers.get('access-control-allow-origin'), ORIGIN, 'origin');
      expect(
        reply.headers.get('access-control-expose-headers')?.includes('X-Fallback-Cookies'),
        'exposes the fallback',
      );
      const elsewhere = await raw(fixture, '/account', { headers: { origin: 'https://elsewhere.example' } });
      same(elsewhere.status, 403, 'another origin');
    },
  },
  {
    number: 7,
    // Every response so far was checked when it arrived.
    run: async ({ made }) => expect(made() > 5, 'answers were looked at'),
  },
];

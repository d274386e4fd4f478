/** `/v1` has its own access checks: each of its routes is called without permission. */
import { mountAppwriteRoutes } from '../../../../apps/server/src/roles/appwrite.ts';
import { callNobody, openIdleHttp } from '../../../../apps/server/test/idle-http.ts';
import { AppwriteHttp } from '../../../../apps/server/src/appwrite/http.ts';
import type { Context } from '../../../../apps/server/src/context.ts';
import type { Report } from '../../harness/lib/report.ts';
import { ORIGIN } from '../../harness/lib/servers.ts';
import { randomAddress } from '@dostar/client/testing/http-browser';
import { makePerson } from './test-accounts.ts';
import { SERVICE_ROUTES } from './service-routes.ts';

const MADE_UP = Buffer.alloc(48, 7).toString('base64url');

interface RequestAttempt {
  name: string;
  headers: (project: string) => Record<string, string>;
  /** The expected refusal of every route; if undefined, only routes that require a sign-in refuse. */
  refusal?: string;
}

const ATTEMPTS: RequestAttempt[] = [
  { name: 'no project', headers: () => ({}), refusal: '404 project_not_found' },
  { name: 'other project', headers: () => ({ 'x-appwrite-project': 'other' }), refusal: '404 project_not_found' },
  {
    name: 'other origin',
    headers: (project) => ({ 'x-appwrite-project': project, origin: 'https://elsewhere.example' }),
    refusal: '403 general_unknown_origin',
  },
  { name: 'guest', headers: (project) => ({ 'x-appwrite-project': project }) },
  { name: 'made-up', headers: (project) => ({ 'x-appwrite-project': project, 'x-appwrite-session': MADE_UP }) },
  {
    name: 'made-up key',
    headers: (project) => ({ 'x-appwrite-project': project, 'x-appwrite-key': MADE_UP }),
    refusal: '401 general_unauthorized_scope',
  },
  {
    // `/v1` accepts a session of the product only from our own pages.
    name: 'cross-site',
    headers: (project) => ({ 'x-appwrite-project': project, origin: ORIGIN, 'sec-fetch-site': 'cross-site' }),
  },
];

export async function checkService(report: Report, ctx: Context, url: string): Promise<void> {
  const { token } = await makePerson(ctx);
  const served = await listServiceRoutes(ctx);
  for (const [route, auth] of served) {
    const isDeclared = SERVICE_ROUTES[route] === auth;
    report.check('a route of /v1 accepts exactly its documented callers', isDeclared, () => `${route}: ${auth}`);
  }
  const missing = Object.keys(SERVICE_ROUTES).filter((route) => !served.has(route));
  report.check('the routes of /v1 are served', missing.length === 0, () => missing.join(', '));
  for (const [route, auth] of served) {
    const [method = '', path = ''] = route.split(' ');
    for (const { name, headers, refusal } of ATTEMPTS) {
      const wanted = refusal ?? (auth === 'guest' ? undefined : '401 general_unauthorized_scope');
      if (wanted === undefined) continue;
      const cookie = name === 'cross-site' ? { cookie: `__Host-session=${token}` } : {};
      const given = { ...headers(ctx.appwrite.project), ...cookie, 'x-forwarded-for': randomAddress() };
      const said = await sendRequest(url + `/v1${path.replaceAll(/:\w+/g, 'x')}`, method, given);
      report.check(`/v1 refuses: ${name}`, said === wanted, () => `${route}: ${said} instead of ${wanted}`);
    }
  }
  report.figure('routes of /v1', served.size);
}

async function sendRequest(url: string, method: string, headers: Record<string, string>): Promise<string> {
  const reply = await fetch(url, { method, headers });
  const { type } = (await reply.json().catch(() => ({}))) as { type?: string };
  return `${reply.status} ${type}`;
}

async function listServiceRoutes(ctx: Context): Promise<Map<string, string>> {
  const { limits, log } = ctx;
  const http = openIdleHttp(ctx);
  const service = new AppwriteHttp(http.app, { project: '', origins: [], limits, log, identify: callNobody });
  mountAppwriteRoutes(service, ctx);
  await http.close();
  return new Map(service.routes.map(({ method, path, auth }) => [`${method} ${path}`, auth]));
}

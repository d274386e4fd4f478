/** The web app over HTTP: pages, files, 404 pages, and reports of violations of the content security policy. */
import { AppError } from '@dostar/protocol/errors';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isbot } from 'isbot';
import { z } from 'zod';
import type { Context } from '../../../context.ts';
import type { Http } from '../../../platform/http/server.ts';
import type { RateLimit } from '../../../platform/concurrency/rate-limits.ts';
import { readJson } from '../../../platform/http/read-json.ts';
import { visitorOf } from '../../../platform/http/visitor-address.ts';
import type { SiteManifest } from './manifest.ts';
import { countView, kindOf } from '../page-views/service.ts';
import { resolvePath, stripLanguage } from './service.ts';
import { StaticFiles } from './static-files.ts';
import { widenPolicy } from './widen-policy.ts';

const CACHE_CONTROL = {
  forever: 'public, max-age=31536000, immutable',
  day: 'public, max-age=86400',
  never: 'no-store',
  /** Revalidated each time; an unchanged page answers 304. */
  page: 'no-cache',
};

const REPORTS: RateLimit = { name: 'csp-report', points: 20, perSeconds: 60, scope: 'process' };
const REPORT_BYTES = 16 * 1024;
const Report = z.object({
  'csp-report': z.object({
    'effective-directive': z.string().max(100).optional(),
    'violated-directive': z.string().max(500).optional(),
    'blocked-uri': z.string().max(2000).optional(),
  }),
});

interface SiteOptions {
  root: string;
  manifest: SiteManifest;
  /** The address at which browsers reach the server. */
  origin: string;
}

export function siteRoutes(http: Http, ctx: Context, { root, manifest, origin }: SiteOptions): void {
  const staticFiles = new StaticFiles({ root, manifest, origin, hasGoogle: ctx.google !== undefined });
  const isSecure = origin.startsWith('https:');
  const common = { ...manifest.headers, vary: 'accept-encoding' };

  http.app.get('/*', async (request, reply) => {
    const [path = '/', query] = request.url.split('?', 2);
    const found = resolvePath(manifest, path);
    if (found.kind === 'other') throw new AppError('not_found');
    void reply.headers(common);
    if (found.kind === 'moved') {
      return reply.redirect(query === undefined ? found.to : `${found.to}?${query}`, 308);
    }
    if (found.kind === 'page') {
      // A crawler needs no page with a 404.
      if (found.status === 404 && isbot(request.headers['user-agent'])) return reply.code(404).send();
      if (found.status === 200 && isOpenedByPerson(request)) countView(ctx, kindOf(stripLanguage(manifest, path)));
      const csp = widenPolicy(found.page.csp, ctx.firebase !== null);
      void reply.code(found.status).headers({
        'content-type': 'text/html; charset=utf-8',
        'cache-control': CACHE_CONTROL.page,
        'content-security-policy': isSecure ? `${csp}; upgrade-insecure-requests` : csp,
      });
      return send(request, reply, staticFiles, found.page);
    }
    const { type, cache, csp } = found.file;
    void reply.headers({
      'content-type': type,
      'cache-control': CACHE_CONTROL[cache],
      ...(csp !== undefined && { 'content-security-policy': csp }),
    });
    return send(request, reply, staticFiles, found.file);
  });

  http.app.addContentTypeParser(
    ['application/csp-report', 'application/reports+json'],
    { parseAs: 'string', bodyLimit: REPORT_BYTES },
    async (_request: FastifyRequest, text: string) => readReport(text),
  );
  const onRequest = async (request: FastifyRequest): Promise<void> => ctx.limits.charge(REPORTS, visitorOf(request));
  http.app.post('/csp-report', { onRequest, bodyLimit: REPORT_BYTES }, async (request, reply) => {
    const report = Report.safeParse(request.body);
    if (report.success) ctx.log.warn(describe(report.data), 'a browser reported a CSP violation');
    return reply.code(204).send();
  });
}

/** Not a crawler, and not a browser that fetches pages ahead, such as its service worker. */
function isOpenedByPerson({ method, headers }: FastifyRequest): boolean {
  const mode = headers['sec-fetch-mode'];
  return method === 'GET' && (mode === undefined || mode === 'navigate') && !isbot(headers['user-agent']);
}

async function send(
  request: FastifyRequest,
  reply: FastifyReply,
  staticFiles: StaticFiles,
  entry: Parameters<StaticFiles['fetch']>[0],
): Promise<FastifyReply> {
  const { bytes, etag, encoding } = await staticFiles.fetch(entry, request.headers['accept-encoding'] ?? '');
  void reply.header('etag', etag);
  const known = request.headers['if-none-match']?.split(',').map((item) => item.trim().replace(/^W\//, ''));
  if (reply.statusCode === 200 && known?.includes(etag)) return reply.code(304).send();
  if (encoding !== 'identity') void reply.header('content-encoding', encoding);
  return reply.send(bytes);
}

/** Ignores a report that can't be parsed: an error would be of no use to the browser. */
function readReport(text: string): unknown {
  try {
    return readJson(text);
  } catch {
    return undefined;
  }
}

/** Known CSP directives. A report is untrusted input, so no other text of it is logged. */
const DIRECTIVES =
  /^(?:(?:base|connect|default|font|form|frame|img|manifest|media|object|script|style|worker)-(?:src|uri|action|ancestors)(?:-(?:attr|elem))?|require-trusted-types-for|trusted-types|upgrade-insecure-requests)$/;
const KEYWORDS = ['inline', 'eval', 'wasm-eval', 'data', 'blob', 'trusted-types-policy', 'trusted-types-sink'];

/** The violated directive and the blocked origin only: a full address could name a person. */
function describe({ 'csp-report': report }: z.infer<typeof Report>): Record<string, string> {
  const blocked = report['blocked-uri'] ?? '';
  const directive = (report['effective-directive'] ?? report['violated-directive'] ?? '').split(' ')[0] ?? '';
  const { origin } = URL.parse(blocked) ?? {};
  return {
    directive: DIRECTIVES.test(directive) ? directive : 'unknown',
    blocked: origin ?? (KEYWORDS.includes(blocked) ? blocked : 'unknown'),
  };
}

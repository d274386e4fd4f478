import type { FastifyReply } from 'fastify';

/** API responses are not pages: browsers must not run, frame, embed or cache them. */
const HEADERS = Object.entries({
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
});

/** For JSON and for responses without a body. Pages, files and pictures have their own headers. Keeps headers that are set. */
export function addProtection(reply: FastifyReply): void {
  const type = reply.getHeader('content-type');
  if (type !== undefined && !String(type).startsWith('application/json')) return;
  for (const [name, value] of HEADERS) if (!reply.hasHeader(name)) void reply.header(name, value);
}

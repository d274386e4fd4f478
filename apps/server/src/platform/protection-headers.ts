import type { FastifyReply } from 'fastify';

/** An answer of a program is no page: no browser may run, frame, embed or keep it. */
const HEADERS = Object.entries({
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
});

/** For JSON and for answers without a body. Pages, files and pictures have their own, and what is set already stays. */
export function addProtection(reply: FastifyReply): void {
  const type = reply.getHeader('content-type');
  if (type !== undefined && !String(type).startsWith('application/json')) return;
  for (const [name, value] of HEADERS) if (!reply.hasHeader(name)) void reply.header(name, value);
}

import { once } from 'node:events';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isTracing, trace } from '../observability/tracing.ts';

/** Called by monitoring all the time. */
const UNINTERESTING = new Set(['/healthz', '/readyz', '/metrics']);

const failures = new WeakMap<FastifyRequest, unknown>();

/**
 * From the first hook to the last byte, named by the route's declaration: the address that was called may hold a token.
 * The hooks and the handler that follow run inside, so that their statements are parts of the call.
 */
export function traceRequest(request: FastifyRequest, reply: FastifyReply, done: () => void): void {
  const route = request.routeOptions.url;
  if (route === undefined || UNINTERESTING.has(route)) return done();
  trace('http', { route, method: request.method }, async (note) => {
    const closed = once(reply.raw, 'close');
    done();
    await closed;
    note({ status: reply.statusCode });
    if (failures.has(request)) throw failures.get(request);
  }).catch(() => {});
}

/** Remembers the error behind a response for the trace of its request. */
export function noteFailure(request: FastifyRequest, error: unknown): void {
  if (isTracing()) failures.set(request, error);
}

import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import { trace } from './tracing.ts';

/** Asked all day by those who watch. */
const UNINTERESTING = new Set(['/healthz', '/readyz', '/metrics']);

/** Every route's handler, by the route's declaration: the address that was called may hold a token. */
export function traceRoute(options: RouteOptions): void {
  const { handler, url: route } = options;
  if (UNINTERESTING.has(route)) return;
  options.handler = function traced(this: FastifyInstance, request: FastifyRequest, reply: FastifyReply) {
    return trace('http', { route, method: request.method }, async (note) => {
      const answer: unknown = await handler.call(this, request, reply);
      note({ status: reply.statusCode });
      return answer;
    });
  };
}

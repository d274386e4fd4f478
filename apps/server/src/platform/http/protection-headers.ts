/** Headers of every response: of a handler, an error, a file or a refused socket. */
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { FastifyReply } from 'fastify';

const HSTS = 'max-age=63072000; includeSubDomains';
const NO_FRAMES = "frame-ancestors 'none'";
const NO_PAGE = `default-src 'none'; ${NO_FRAMES}`;

const COMMON = {
  'x-content-type-options': 'nosniff',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
};
const COMMON_ENTRIES = Object.entries(COMMON);

/** Keeps headers that the handler has set. Adds the ban on framing to a policy that lacks it. */
export function addProtection(reply: FastifyReply, isSecure: boolean): void {
  for (const [name, value] of COMMON_ENTRIES) if (!reply.hasHeader(name)) void reply.header(name, value);
  if (isSecure) void reply.header('strict-transport-security', HSTS);
  const policy = reply.getHeader('content-security-policy') as string | undefined;
  if (isData(reply)) {
    if (policy === undefined) void reply.header('content-security-policy', NO_PAGE);
    if (!reply.hasHeader('cache-control')) void reply.header('cache-control', 'no-store');
  } else if (!policy?.includes('frame-ancestors')) {
    // A worker's script obeys the policy of its own response: no `default-src` here.
    void reply.header('content-security-policy', policy === undefined ? NO_FRAMES : `${policy}; ${NO_FRAMES}`);
  }
}

/** JSON, plain text and responses without a body: browsers must not run, frame, embed or cache them. */
function isData(reply: FastifyReply): boolean {
  const type = reply.getHeader('content-type') as string | undefined;
  return type === undefined || type.startsWith('application/json') || type.startsWith('text/plain');
}

/** For a connection that Fastify does not answer. */
export function refuseRaw(stream: Duplex, status: number, isSecure: boolean): void {
  const headers = {
    ...COMMON,
    'content-security-policy': NO_PAGE,
    ...(isSecure && { 'strict-transport-security': HSTS }),
    connection: 'close',
    'content-length': '0',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  stream.end(`HTTP/1.1 ${status} Refused\r\n${lines.join('')}\r\n`);
}

const BROKEN: Record<string, number> = { ERR_HTTP_REQUEST_TIMEOUT: 408, HPE_HEADER_OVERFLOW: 431 };

/** Answers bytes that are no request, or one that never ends, and closes the connection. */
export function refuseBroken({ code = '' }: { code?: string }, socket: Socket, isSecure: boolean): void {
  if (code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  refuseRaw(socket, BROKEN[code] ?? 400, isSecure);
  socket.destroySoon();
}

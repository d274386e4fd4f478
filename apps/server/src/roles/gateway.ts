import type { IncomingMessage, Server } from 'node:http';
import { SESSION_COOKIE } from '@dostar/protocol/contract/sessions';
import { AppError, ERRORS } from '@dostar/protocol/errors';
import { REALTIME_PATH } from '@dostar/protocol/realtime';
import type { Context } from '../context.ts';
import { Streams } from '../features/mailbox/streams.ts';
import type { Session, Sessions } from '../features/sessions/service.ts';
import { isOurOrigin, readCookie } from '../platform/http.ts';
import { serveSockets } from '../platform/sockets.ts';
import type { Refusal } from '../platform/sockets.ts';

interface GatewayOptions {
  server: Server;
  sessions: Sessions;
  origins: string[];
  compareEveryMs?: number | undefined;
}

export function mountGateway(ctx: Context, options: GatewayOptions): AsyncDisposable {
  const streams = new Streams(ctx, options.compareEveryMs);
  const sockets = serveSockets<Session>({
    server: options.server,
    path: REALTIME_PATH,
    admit: (request) => admit(request, options),
    open: (socket, session) => streams.open(socket, session),
  });
  return {
    async [Symbol.asyncDispose]() {
      await sockets[Symbol.asyncDispose]();
      await streams[Symbol.asyncDispose]();
    },
  };
}

/** A browser sends our cookie with a socket that any page opens: only our own pages may (SPEC H2). */
async function admit(request: IncomingMessage, { origins, sessions }: GatewayOptions): Promise<Session | Refusal> {
  const { origin, cookie } = request.headers;
  if (origin === undefined || !isOurOrigin({ origin }, origins)) return { status: 403 };
  try {
    return await sessions.authenticate(readCookie(cookie, SESSION_COOKIE), request.socket.remoteAddress ?? '');
  } catch (error) {
    const status = error instanceof AppError ? ERRORS[error.code].status : 503;
    return { status: status === 401 || status === 429 ? status : 503 };
  }
}

import type { IncomingMessage, Server } from 'node:http';
import { SESSION_COOKIE } from '@dostar/protocol/contract/sessions';
import { AppError, ERRORS } from '@dostar/protocol/errors';
import { REALTIME_PATH } from '@dostar/protocol/realtime';
import type { Context } from '../context.ts';
import { RealtimeGateway } from '../features/messaging/mailbox/realtime-gateway.ts';
import { AppwriteRealtime } from '../appwrite/events/realtime.ts';
import type { Session, Sessions } from '../features/identity/sessions/service.ts';
import { readCookie } from '../platform/http/cookies.ts';
import { isOurOrigin } from '../platform/http/our-origin.ts';
import type { Identify } from '../appwrite/http.ts';
import { isAppwriteSocket, serveAppwriteSockets } from '../appwrite/sockets.ts';
import { serveSockets } from '../platform/http/sockets.ts';
import type { Refusal } from '../platform/http/sockets.ts';
import { readVisitor } from '../platform/http/visitor-address.ts';
import type { IsProxy } from '../platform/http/visitor-address.ts';

interface GatewayOptions {
  server: Server;
  sessions: Sessions;
  origins: string[];
  isProxy: IsProxy;
  /** Identifies callers of `/v1`. */
  identify: Identify;
  compareEveryMs?: number | undefined;
}

export function mountGateway(ctx: Context, options: GatewayOptions): AsyncDisposable {
  const isSecure = ctx.origin.startsWith('https:');
  const streams = new RealtimeGateway(ctx, options.compareEveryMs);
  const sockets = serveSockets<Session>({
    server: options.server,
    isSecure,
    path: REALTIME_PATH,
    isHandledElsewhere: isAppwriteSocket,
    admit: (request) => admit(request, options),
    open: (socket, session) => streams.open(socket, session),
  });
  const appwrite = new AppwriteRealtime(ctx, options.identify);
  const appwriteSockets = serveAppwriteSockets({
    server: options.server,
    isSecure,
    isProxy: options.isProxy,
    admit: (address) => appwrite.admit(address),
    open: (socket, request, address) => appwrite.open(socket, request, address),
  });
  return {
    async [Symbol.asyncDispose]() {
      await appwriteSockets[Symbol.asyncDispose]();
      await appwrite[Symbol.asyncDispose]();
      await sockets[Symbol.asyncDispose]();
      await streams[Symbol.asyncDispose]();
    },
  };
}

/** A browser sends our cookie with a socket that any page opens: only our own pages may (SPEC H2). */
async function admit(
  { headers, socket }: IncomingMessage,
  { origins, isProxy, sessions }: GatewayOptions,
): Promise<Session | Refusal> {
  const { origin, cookie } = headers;
  if (origin === undefined || !isOurOrigin({ origin }, origins)) return { status: 403 };
  try {
    const address = readVisitor(socket.remoteAddress ?? '', headers['x-forwarded-for'], isProxy);
    const session = await sessions.authenticate(readCookie(cookie, SESSION_COOKIE), address);
    return session.isPending ? { status: ERRORS.factor_required.status } : session;
  } catch (error) {
    const status = error instanceof AppError ? ERRORS[error.code].status : 503;
    return { status: status === 401 || status === 429 ? status : 503 };
  }
}

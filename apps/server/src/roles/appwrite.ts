import type { Context } from '../context.ts';
import { documentRoutes } from '../appwrite/documents/routes.ts';
import { fileBytesRoutes } from '../appwrite/files/bytes-routes.ts';
import { previewRoutes } from '../appwrite/files/preview-routes.ts';
import { fileRoutes } from '../appwrite/files/routes.ts';
import { fileTokenRoutes } from '../appwrite/files/token-routes.ts';
import { jwtRoutes } from '../appwrite/accounts/jwt-routes.ts';
import { appwriteChangeRoutes } from '../appwrite/accounts/change-routes.ts';
import { appwriteAccountRoutes } from '../appwrite/accounts/routes.ts';
import { appwriteFactorRoutes } from '../appwrite/factors/routes.ts';
import { appwriteGoogleRoutes } from '../appwrite/google/routes.ts';
import { appwriteEmailRoutes } from '../appwrite/emails/routes.ts';
import { targetRoutes } from '../appwrite/push-targets/routes.ts';
import type { Http } from '../platform/http/server.ts';
import { AppwriteHttp } from '../appwrite/http.ts';
import { Pong } from '../appwrite/reply-models.ts';
import type { Identify } from '../appwrite/http.ts';
import { listOrigins } from '../appwrite/origins.ts';

export { identifyCallers } from '../appwrite/accounts/identify.ts';

/** `/v1`, beside `/api` in the same role. */
export function mountAppwrite(http: Http, ctx: Context, identify: Identify): void {
  const { project } = ctx.service;
  http.app.register(
    async (app) => {
      const service = new AppwriteHttp(app, {
        project,
        origins: listOrigins(ctx.origins, ctx.service.hosts),
        limits: ctx.limits,
        log: ctx.log,
        identify,
      });
      mountAppwriteRoutes(service, ctx);
    },
    { prefix: '/v1' },
  );
}

export function mountAppwriteRoutes(service: AppwriteHttp, ctx: Context): void {
  service.add({
    method: 'GET',
    paths: ['/ping'],
    auth: 'guest',
    docs: { summary: 'Answers, so that a client knows the server is there', sdk: 'client.ping', reply: Pong },
    limit: { name: 'v1-ping', points: 600, perSeconds: 60, scope: 'process' },
    handle: () => Promise.resolve({ pong: true }),
  });
  appwriteAccountRoutes(service, ctx);
  appwriteChangeRoutes(service, ctx);
  jwtRoutes(service, ctx);
  targetRoutes(service, ctx);
  appwriteEmailRoutes(service, ctx);
  appwriteFactorRoutes(service, ctx);
  appwriteGoogleRoutes(service, ctx);
  documentRoutes(service, ctx);
  fileRoutes(service, ctx);
  fileBytesRoutes(service, ctx);
  previewRoutes(service, ctx);
  fileTokenRoutes(service, ctx);
}

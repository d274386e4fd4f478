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
  const { project } = ctx.appwrite;
  http.app.register(
    async (app) => {
      const appwrite = new AppwriteHttp(app, {
        project,
        origins: listOrigins(ctx.origins, ctx.appwrite.hosts),
        limits: ctx.limits,
        log: ctx.log,
        identify,
      });
      mountAppwriteRoutes(appwrite, ctx);
    },
    { prefix: '/v1' },
  );
}

export function mountAppwriteRoutes(appwrite: AppwriteHttp, ctx: Context): void {
  appwrite.add({
    method: 'GET',
    paths: ['/ping'],
    auth: 'guest',
    docs: { summary: 'Answers, so that a client knows the server is there', sdk: 'client.ping', reply: Pong },
    limit: { name: 'v1-ping', points: 600, perSeconds: 60, scope: 'process' },
    handle: () => Promise.resolve({ pong: true }),
  });
  appwriteAccountRoutes(appwrite, ctx);
  appwriteChangeRoutes(appwrite, ctx);
  jwtRoutes(appwrite, ctx);
  targetRoutes(appwrite, ctx);
  appwriteEmailRoutes(appwrite, ctx);
  appwriteFactorRoutes(appwrite, ctx);
  appwriteGoogleRoutes(appwrite, ctx);
  documentRoutes(appwrite, ctx);
  fileRoutes(appwrite, ctx);
  fileBytesRoutes(appwrite, ctx);
  previewRoutes(appwrite, ctx);
  fileTokenRoutes(appwrite, ctx);
}

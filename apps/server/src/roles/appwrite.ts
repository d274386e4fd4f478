import type { FastifyRequest } from 'fastify';
import type { Context } from '../context.ts';
import { documentRoutes } from '../appwrite/documents/routes.ts';
import { fileBytesRoutes } from '../appwrite/files/bytes-routes.ts';
import { previewRoutes } from '../appwrite/files/preview-routes.ts';
import { fileRoutes } from '../appwrite/files/routes.ts';
import { fileTokenRoutes } from '../appwrite/files/token-routes.ts';
import { jwtRoutes } from '../appwrite/accounts/jwt-routes.ts';
import { serviceChangeRoutes } from '../appwrite/accounts/change-routes.ts';
import { serviceAccountRoutes } from '../appwrite/accounts/routes.ts';
import { serviceFactorRoutes } from '../appwrite/factors/routes.ts';
import { serviceGoogleRoutes } from '../appwrite/google/routes.ts';
import { serviceLetterRoutes } from '../appwrite/emails/routes.ts';
import { targetRoutes } from '../appwrite/push-targets/routes.ts';
import type { Http } from '../platform/http/server.ts';
import { ServiceHttp } from '../appwrite/http.ts';
import type { ServiceCaller } from '../appwrite/http.ts';
import { listOrigins } from '../appwrite/origins.ts';

type Identify = (request: FastifyRequest) => Promise<ServiceCaller>;

/** `/v1`, beside `/api` in the same role. */
export function mountService(http: Http, ctx: Context, identify: Identify): void {
  const { project } = ctx.service;
  http.app.register(
    async (app) => {
      const service = new ServiceHttp(app, {
        project,
        origins: listOrigins(ctx.origins, ctx.service.hosts),
        limits: ctx.limits,
        log: ctx.log,
        identify,
      });
      mountServiceRoutes(service, ctx);
    },
    { prefix: '/v1' },
  );
}

export function mountServiceRoutes(service: ServiceHttp, ctx: Context): void {
  service.add({
    method: 'GET',
    paths: ['/ping'],
    auth: 'guest',
    limit: { name: 'v1-ping', points: 600, perSeconds: 60, scope: 'process' },
    handle: () => Promise.resolve({ pong: true }),
  });
  serviceAccountRoutes(service, ctx);
  serviceChangeRoutes(service, ctx);
  jwtRoutes(service, ctx);
  targetRoutes(service, ctx);
  serviceLetterRoutes(service, ctx);
  serviceFactorRoutes(service, ctx);
  serviceGoogleRoutes(service, ctx);
  documentRoutes(service, ctx);
  fileRoutes(service, ctx);
  fileBytesRoutes(service, ctx);
  previewRoutes(service, ctx);
  fileTokenRoutes(service, ctx);
}

/** The routes that the server really serves, so that none is missing in the contract. */
import { mountApi } from '../../../../apps/server/src/roles/api.ts';
import { openIdleHttp } from '../../../../apps/server/test/idle-http.ts';
import type { Context } from '../../../../apps/server/src/context.ts';

export interface Route {
  method: string;
  path: string;
}

export async function listRoutes(ctx: Context): Promise<Route[]> {
  const http = openIdleHttp(ctx);
  const routes: Route[] = [];
  http.app.addHook('onRoute', ({ method, url }) => {
    for (const each of [method].flat()) if (each !== 'HEAD') routes.push({ method: each, path: url });
  });
  mountApi(http, ctx);
  await http.close();
  return routes;
}

import type { Context } from '../context.ts';
import { messageRoutes } from '../features/messages/routes.ts';
import { sessionRoutes } from '../features/sessions/routes.ts';
import { statsRoutes } from '../features/stats/routes.ts';
import type { Http } from '../platform/http.ts';

export function mountApi(http: Http, ctx: Context): void {
  sessionRoutes(http, ctx);
  messageRoutes(http, ctx);
  statsRoutes(http, ctx);
}

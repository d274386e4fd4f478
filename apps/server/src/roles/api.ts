import type { Context } from '../context.ts';
import { accountRoutes } from '../features/accounts/routes.ts';
import { messageRoutes } from '../features/messages/routes.ts';
import { passwordRoutes } from '../features/passwords/routes.ts';
import { sessionRoutes } from '../features/sessions/routes.ts';
import { userRoutes } from '../features/users/routes.ts';
import { statsRoutes } from '../features/stats/routes.ts';
import type { Http } from '../platform/http.ts';

export function mountApi(http: Http, ctx: Context): void {
  accountRoutes(http, ctx);
  passwordRoutes(http, ctx);
  userRoutes(http, ctx);
  sessionRoutes(http, ctx);
  messageRoutes(http, ctx);
  statsRoutes(http, ctx);
}

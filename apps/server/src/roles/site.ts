import type { Context } from '../context.ts';
import { securityTextRoute } from '../features/operations/site/operator-routes.ts';
import { loadSiteManifest } from '../features/operations/site/manifest.ts';
import { siteRoutes } from '../features/operations/site/routes.ts';
import type { Http } from '../platform/http/server.ts';

interface SiteRoleOptions {
  root: string;
  origin: string;
}

export async function mountSite(http: Http, ctx: Context, { root, origin }: SiteRoleOptions): Promise<void> {
  securityTextRoute(http, ctx);
  const manifest = await loadSiteManifest(root);
  if (!manifest) {
    ctx.log.warn('no built web application: the site role has nothing to serve');
    return;
  }
  siteRoutes(http, ctx, { root, manifest, origin });
}

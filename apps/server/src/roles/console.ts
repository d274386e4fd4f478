/** The operator's console, on a listener of its own. */
import type { AddressInfo } from 'node:net';
import type { CheckInput } from '../cli/doctor/finding.ts';
import { addAccountRoutes } from '../console/accounts.ts';
import { addAuditLogRoutes } from '../console/audit-log.ts';
import { HealthReports } from '../console/health.ts';
import { ConsoleHttp } from '../console/http.ts';
import type { ConsoleRoute } from '../console/http.ts';
import { addInviteRoutes } from '../console/invites.ts';
import { addOpenRoutes } from '../console/open.ts';
import { addOverviewRoutes } from '../console/overview.ts';
import { addReportRoutes } from '../console/reports.ts';
import { addStorageRoutes } from '../console/storage.ts';
import type { Context } from '../context.ts';

export interface RunningConsole extends AsyncDisposable {
  url: string;
  routes: readonly ConsoleRoute[];
}

/** Undefined if the port is taken: the console does not keep people from their messages. */
export async function startConsole(
  ctx: Context,
  input: Pick<CheckInput, 'env' | 'config'> & { secrets: NonNullable<CheckInput['secrets']> },
): Promise<RunningConsole | undefined> {
  const { CONSOLE_HOST: host, CONSOLE_PORT: port } = input.config;
  const { tls } = input.secrets;
  const http = new ConsoleHttp(ctx, { host, tls });
  addOpenRoutes(http, ctx);
  addOverviewRoutes(http, ctx, new HealthReports({ ...input, clock: ctx.clock }));
  addAccountRoutes(http, ctx);
  addInviteRoutes(http, ctx);
  addStorageRoutes(http, ctx);
  addReportRoutes(http, ctx);
  addAuditLogRoutes(http, ctx);
  try {
    await http.app.listen({ host, port });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    ctx.log.error({ host, port }, 'no console: its port is taken');
    await http.app.close();
    return undefined;
  }
  const address = http.app.server.address() as AddressInfo;
  return {
    url: `${tls ? 'https' : 'http'}://${host}:${address.port}`,
    routes: http.routes,
    [Symbol.asyncDispose]: async () => {
      http.app.server.closeAllConnections();
      await http.app.close();
    },
  };
}

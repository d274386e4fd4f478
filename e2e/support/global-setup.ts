/**
 * Starts one stack for all workers: a site with every role, an inbox and an OpenID provider as a stand-in for Google.
 */
import { resolve } from 'node:path';
import { freePort, startOpenId } from '@dostar/tools/servers';
import { startInbox } from './inbox.ts';
import { startSite } from './site.ts';

const folder = resolve(import.meta.dirname, '../../.dev/e2e-openid');

/** Environment variable that describes the stack; workers inherit it. */
export const STACK = 'E2E_STACK';

// oxlint-disable-next-line import/no-default-export -- Playwright calls the default export.
export default async function startStack(): Promise<() => Promise<void>> {
  await using stack = new AsyncDisposableStack();
  const inbox = stack.use(await startInbox());
  const google = stack.use(await startOpenId({ dir: folder, port: await freePort() }));
  const site = stack.use(await startSite({ SMTP_URL: inbox.smtpUrl, ...google.env }, 'site,api,worker,gateway'));
  const { origin, env, databases, log } = site;
  const { smtpUrl, webUrl } = inbox;
  process.env[STACK] = JSON.stringify({ site: { origin, env, databases, log }, inbox: { smtpUrl, webUrl } });
  const owned = stack.move();
  return () => owned.disposeAsync();
}

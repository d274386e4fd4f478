import { freePort } from '@dostar/tools/servers';
import { chromium } from 'playwright-core';
import type { Report } from '../../../harness/lib/report.ts';
import { startServers } from '../../../harness/lib/servers.ts';
import { PROJECT } from '../service-definition.ts';
import { EVENTS } from './events.ts';
import { FILES } from './files.ts';
import { GOOGLE_PAGE } from './google.ts';
import { servePages } from './pages.ts';
import { SESSIONS } from './sessions.ts';

const STEPS = [...SESSIONS, ...FILES, ...EVENTS, ...GOOGLE_PAGE];
const ARGUMENTS = ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--no-first-run'];

/** Runs the package in pages of Chromium, for behaviour that Node cannot show. */
export async function proveInBrowser(report: Report, env: Record<string, string>): Promise<void> {
  const port = await freePort();
  await using servers = await startServers({
    name: 'sdk',
    settings: { fsync: 'off' },
    env: { ...env, ORIGIN: `http://localhost:${port}` },
    roles: ['api,worker,gateway'],
  });
  const api = new URL(servers.processes[0]!.url);
  await using pages = await servePages(port, api.href);
  await using stack = new AsyncDisposableStack();
  const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ARGUMENTS });
  stack.defer(() => browser.close());
  const stage = {
    near: `http://localhost:${api.port}/v1`,
    far: `http://127.0.0.1:${api.port}/v1`,
    project: PROJECT,
    pages,
    async open() {
      const context = await browser.newContext();
      return { context, page: await context.newPage() };
    },
  };
  for (const { title, run } of STEPS) {
    const failure = await run(stage).then(
      () => undefined,
      (error: unknown) => error,
    );
    report.check('in Chromium', failure === undefined, () => `${title}: ${(failure as Error).message}`);
  }
}

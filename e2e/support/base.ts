/** Fixtures of every browser test: the running stack, and the server's log if the test fails. */
import { readFile, stat } from 'node:fs/promises';
import { expect, test as base } from '@playwright/test';
import { STACK } from './global-setup.ts';
import { openInbox, type Inbox } from './inbox.ts';
import { openSite, type Site, type SiteDescription } from './site.ts';

interface Described {
  site: SiteDescription;
  inbox: Pick<Inbox, 'smtpUrl' | 'webUrl'>;
}

function readStack(): Described {
  return JSON.parse(process.env[STACK] ?? '{}') as Described;
}

export const test = base.extend<{ serverLog: void }, { inbox: Inbox; site: Site }>({
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads which fixtures are wanted from this pattern.
  inbox: [async ({}, use) => use(openInbox(readStack().inbox)), { scope: 'worker' }],
  // oxlint-disable-next-line no-empty-pattern -- As above.
  site: [async ({}, use) => use(await openSite(readStack().site)), { scope: 'worker', timeout: 300_000 }],
  baseURL: async ({ site }, use) => use(site.origin),
  serverLog: [
    async ({ site }, use, info) => {
      const { size } = await stat(site.log);
      await use();
      if (info.status === info.expectedStatus) return;
      const body = (await readFile(site.log)).subarray(size);
      await info.attach('server log', { body, contentType: 'text/plain' });
    },
    { auto: true },
  ],
});

export { expect };

import { expect, same } from '../fixture.ts';
import { dropFallback, signUpInPage, readSignedInEmail } from './page-fixture.ts';
import type { Step } from './page-fixture.ts';

const SIGNED_OUT = '401 general_unauthorized_scope';

export const SESSIONS: Step[] = [
  {
    title: 'cookies carry a session between ports of one site, unseen by the page',
    async run({ open, pages, near: endpoint, project }) {
      const { page } = await open();
      await page.goto(pages.origin);
      const location = { endpoint, project };
      const email = await signUpInPage(page, location);
      await page.evaluate(dropFallback);
      same(await page.evaluate(() => document.cookie), '', 'cookies a script can read');
      same(await readSignedInEmail(page, location), email, 'the account signed in');
      await page.reload();
      same(await readSignedInEmail(page, location), email, 'after a reload');
    },
  },
  {
    title: 'on another site the package keeps the session itself, and reads errors',
    async run({ open, pages, far: endpoint, project }) {
      const { page } = await open();
      await page.goto(pages.origin);
      const location = { endpoint, project };
      same(await readSignedInEmail(page, location), SIGNED_OUT, 'before');
      const email = await signUpInPage(page, location);
      same(await readSignedInEmail(page, location), email, 'the account signed in');
      await page.reload();
      same(await readSignedInEmail(page, location), email, 'after a reload');
      // The browser does not send the cookie to another site.
      await page.evaluate(dropFallback);
      same(await readSignedInEmail(page, location), SIGNED_OUT, 'without what it kept');
    },
  },
  {
    title: 'a session that is ended is ended for the browser',
    async run({ open, pages, near: endpoint, project }) {
      const { page, context } = await open();
      await page.goto(pages.origin);
      const location = { endpoint, project };
      await signUpInPage(page, location);
      await page.evaluate(async ({ endpoint: at, project: of }) => {
        const client = new Appwrite.Client().setEndpoint(at).setProject(of);
        await new Appwrite.Account(client).deleteSession({ sessionId: 'current' });
      }, location);
      same(await readSignedInEmail(page, location), SIGNED_OUT, 'afterwards');
      const left = (await context.cookies()).filter(({ name }) => name.startsWith('a_session_'));
      same(left, [], 'cookies');
    },
  },
  {
    title: 'a page of an unknown host can do nothing and read nothing',
    async run({ open, pages, near: endpoint, project }) {
      const { page } = await open();
      await page.goto(pages.stranger);
      const location = { endpoint, project };
      const failure = await signUpInPage(page, location).then(
        () => 'nothing',
        (error: Error) => error.message,
      );
      expect(failure.includes('Failed to fetch'), `it was told ${failure}`);
      same(await readSignedInEmail(page, location), 'TypeError', 'what it can read');
    },
  },
];

import { expect, same } from '../scene.ts';
import { dropFallback, signUpOn, whoIsOn } from './stage.ts';
import type { Step } from './stage.ts';

const NOBODY = '401 general_unauthorized_scope';

export const SESSIONS: Step[] = [
  {
    title: 'cookies carry a session between ports of one site, unseen by the page',
    async run({ open, pages, near: endpoint, project }) {
      const { page } = await open();
      await page.goto(pages.origin);
      const place = { endpoint, project };
      const email = await signUpOn(page, place);
      await page.evaluate(dropFallback);
      same(await page.evaluate(() => document.cookie), '', 'cookies a script can read');
      same(await whoIsOn(page, place), email, 'who is signed in');
      await page.reload();
      same(await whoIsOn(page, place), email, 'after a reload');
    },
  },
  {
    title: 'on another site the package keeps the session itself, and reads errors',
    async run({ open, pages, far: endpoint, project }) {
      const { page } = await open();
      await page.goto(pages.origin);
      const place = { endpoint, project };
      same(await whoIsOn(page, place), NOBODY, 'before');
      const email = await signUpOn(page, place);
      same(await whoIsOn(page, place), email, 'who is signed in');
      await page.reload();
      same(await whoIsOn(page, place), email, 'after a reload');
      // The cookie of another site is not sent.
      await page.evaluate(dropFallback);
      same(await whoIsOn(page, place), NOBODY, 'without what it kept');
    },
  },
  {
    title: 'a session that is ended is ended for the browser',
    async run({ open, pages, near: endpoint, project }) {
      const { page, context } = await open();
      await page.goto(pages.origin);
      const place = { endpoint, project };
      await signUpOn(page, place);
      await page.evaluate(async ({ endpoint: at, project: of }) => {
        const client = new Appwrite.Client().setEndpoint(at).setProject(of);
        await new Appwrite.Account(client).deleteSession({ sessionId: 'current' });
      }, place);
      same(await whoIsOn(page, place), NOBODY, 'afterwards');
      const left = (await context.cookies()).filter(({ name }) => name.startsWith('a_session_'));
      same(left, [], 'cookies');
    },
  },
  {
    title: 'a page of an unknown host can do nothing and read nothing',
    async run({ open, pages, near: endpoint, project }) {
      const { page } = await open();
      await page.goto(pages.stranger);
      const place = { endpoint, project };
      const failure = await signUpOn(page, place).then(
        () => 'nothing',
        (error: Error) => error.message,
      );
      expect(failure.includes('Failed to fetch'), `it was told ${failure}`);
      same(await whoIsOn(page, place), 'TypeError', 'what it can read');
    },
  },
];

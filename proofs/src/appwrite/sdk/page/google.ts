import type { Page } from 'playwright-core';
import { ID } from 'appwrite';
import { expect, same } from '../fixture.ts';
import { readSignedInEmail } from './page-fixture.ts';
import type { Step } from './page-fixture.ts';

/** At the provider, which accepts any address. */
async function sayWho(page: Page, email: string): Promise<void> {
  await page.locator('input[name=email]').fill(email);
  await page.locator('button[value=continue]').click();
}

export const GOOGLE_PAGE: Step[] = [
  {
    title: 'the way to Google and back ends on the page it was begun for, signed in',
    async run({ open, pages, near: endpoint, project }) {
      const { page } = await open();
      await page.goto(pages.origin);
      const email = `${ID.unique()}@example.org`;
      await page.evaluate(
        ({ at, of, origin }) => {
          const account = new Appwrite.Account(new Appwrite.Client().setEndpoint(at).setProject(of));
          account.createOAuth2Session({
            provider: Appwrite.OAuthProvider.Google,
            success: `${origin}/in`,
            failure: `${origin}/out`,
          });
        },
        { at: endpoint, of: project, origin: pages.origin },
      );
      await sayWho(page, email);
      await page.waitForURL(`${pages.origin}/in`);
      same(await readSignedInEmail(page, { endpoint, project }), email, 'who came');
    },
  },
  {
    title: 'a page of another site comes back with a token and makes its session of it',
    async run({ open, pages, near, far, project }) {
      const { page, context } = await open();
      await page.goto(pages.origin);
      const email = `${ID.unique()}@example.org`;
      await page.evaluate(
        ({ at, of, origin }) => {
          const account = new Appwrite.Account(new Appwrite.Client().setEndpoint(at).setProject(of));
          account.createOAuth2Token({ provider: Appwrite.OAuthProvider.Google, success: `${origin}/in?tab=1` });
        },
        { at: near, of: project, origin: pages.origin },
      );
      await sayWho(page, email);
      await page.waitForURL(`${pages.origin}/in?**`);
      const { searchParams } = new URL(page.url());
      same(searchParams.get('tab'), '1', 'what the address had of its own');
      const cookies = await context.cookies();
      expect(!cookies.some(({ name }) => name.startsWith('a_session_')), 'no session came by itself');
      const location = { endpoint: far, project };
      const brought = { userId: searchParams.get('userId') ?? '', secret: searchParams.get('secret') ?? '' };
      await page.evaluate(
        async ({ at, of, token }) => {
          const account = new Appwrite.Account(new Appwrite.Client().setEndpoint(at).setProject(of));
          await account.createSession(token);
        },
        { at: far, of: project, token: brought },
      );
      same(await readSignedInEmail(page, location), email, 'who came');
    },
  },
];

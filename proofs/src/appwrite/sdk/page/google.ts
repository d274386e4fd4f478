import type { Page } from 'playwright-core';
import { ID } from 'appwrite';
import { expect, same } from '../fixture.ts';
import { readSignedInEmail } from './page-fixture.ts';
import type { Step } from './page-fixture.ts';

/** Signs in at the provider, which accepts any address. */
async function sayWho(page: Page, email: string): Promise<void> {
  await page.locator('input[name=email]').fill(email);
  await page.locator('button[value=continue]').click();
}

export const GOOGLE_PAGE: Step[] = [
  {
    title: 'a sign-in with Google returns to the page where it began, signed in',
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
      same(await readSignedInEmail(page, { endpoint, project }), email, 'the account signed in');
    },
  },
  {
    title: 'a page of another site gets a token and exchanges it for a session',
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
      same(searchParams.get('tab'), '1', 'the query of the address is kept');
      const cookies = await context.cookies();
      expect(!cookies.some(({ name }) => name.startsWith('a_session_')), 'no session before the exchange');
      const location = { endpoint: far, project };
      const brought = { userId: searchParams.get('userId') ?? '', secret: searchParams.get('secret') ?? '' };
      await page.evaluate(
        async ({ at, of, token }) => {
          const account = new Appwrite.Account(new Appwrite.Client().setEndpoint(at).setProject(of));
          await account.createSession(token);
        },
        { at: far, of: project, token: brought },
      );
      same(await readSignedInEmail(page, location), email, 'the account signed in');
    },
  },
];

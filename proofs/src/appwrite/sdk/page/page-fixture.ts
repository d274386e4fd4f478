/** A browser whose pages use the package, and the addresses that they use. */
import type { BrowserContext, Page } from 'playwright-core';
import type * as Package from 'appwrite';

declare global {
  /** Defined in a page after its script has loaded. */
  var Appwrite: typeof Package;
  /** The part of the DOM that these checks use. */
  var document: {
    cookie: string;
    documentElement: { append: (child: unknown) => void };
    createElement: (name: 'img') => { src: string; naturalWidth: number; decode: () => Promise<void> };
  };
}

interface PageFixture {
  /** The server on the site of the pages, at another port. */
  near: string;
  /** The same server under an address that browsers treat as another site. */
  far: string;
  project: string;
  pages: { origin: string; stranger: string };
  /** A separate browser. */
  open: () => Promise<{ page: Page; context: BrowserContext }>;
}

export interface Step {
  title: string;
  run: (stage: PageFixture) => Promise<void>;
}

export interface ServiceLocation {
  endpoint: string;
  project: string;
}

/** Signs up and signs in a new user in the page; returns their email address. */
export async function signUpInPage(page: Page, location: ServiceLocation): Promise<string> {
  return page.evaluate(async ({ endpoint, project }) => {
    const client = new Appwrite.Client().setEndpoint(endpoint).setProject(project);
    const account = new Appwrite.Account(client);
    const email = `${Appwrite.ID.unique()}@example.org`;
    const password = 'correct horse';
    await account.create({ userId: Appwrite.ID.unique(), email, password });
    await account.createEmailPasswordSession({ email, password });
    return email;
  }, location);
}

/** The email address of the signed-in user, or what the package throws. */
export async function readSignedInEmail(page: Page, location: ServiceLocation): Promise<string> {
  return page.evaluate(async ({ endpoint, project }) => {
    const client = new Appwrite.Client().setEndpoint(endpoint).setProject(project);
    try {
      return (await new Appwrite.Account(client).get()).email;
    } catch (error) {
      if (error instanceof Appwrite.AppwriteException) return `${error.code} ${error.type}`;
      return (error as Error).name;
    }
  }, location);
}

export const dropFallback = (): void => localStorage.removeItem('cookieFallback');

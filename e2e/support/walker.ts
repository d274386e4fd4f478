import { type BrowserContext, expect, type Locator, type Page } from '@playwright/test';

/** One of the two, in a browser of their own. */
export class Walker {
  readonly page: Page;

  private constructor(page: Page) {
    this.page = page;
  }

  static async open(context: BrowserContext, link: string): Promise<Walker> {
    const walker = new Walker(await context.newPage());
    await walker.page.goto(link);
    await walker.expectConnected();
    return walker;
  }

  async expectConnected(): Promise<void> {
    await expect(this.page.getByRole('status', { name: 'Connection' })).toHaveText('Connected');
  }

  async write(...notes: string[]): Promise<void> {
    for (const note of notes) {
      // By keys: in Firefox, React does not notice a value that is put in at once.
      await this.page.getByLabel('Your note').pressSequentially(note);
      await this.page.getByRole('button', { name: 'Send' }).click();
      await expect(this.page.getByLabel('Your note')).toHaveValue('');
    }
  }

  /** What they wrote themselves, in the order shown. */
  get own(): Locator {
    return this.#notes.filter({ hasText: /^You: / }).getByTestId('words');
  }

  get received(): Locator {
    return this.#notes.filter({ hasText: /^They: / }).getByTestId('words');
  }

  statusOf(note: string): Locator {
    return this.#notes.filter({ hasText: note }).getByTestId('status');
  }

  get #notes(): Locator {
    return this.page.getByRole('log', { name: 'Notes' }).getByRole('listitem');
  }
}

/** Each side shows what each wrote: all of it, once, in the order written. */
export async function expectSaid(alice: Walker, byAlice: string[], bob: Walker, byBob: string[]): Promise<void> {
  await expect(bob.received).toHaveText(byAlice);
  await expect(alice.received).toHaveText(byBob);
  await expect(alice.own).toHaveText(byAlice);
  await expect(bob.own).toHaveText(byBob);
}

import { getUser } from '@dostar/protocol/contract/users';
import { AppError } from '@dostar/protocol/errors';
import { Browser, newEmail } from '@dostar/client/testing/http-browser';
import { lightOpaque } from '../../harness/accounts/light-opaque.ts';
import { codeIn } from '@dostar/tools/emails';
import type { Inbox } from '../../harness/accounts/inbox.ts';

/** A user who signs up while the server dies. */
export class Person {
  readonly email: string;
  readonly password = 'four words are enough';
  readonly browser: Browser;
  readonly #inbox: Inbox;
  readonly #healthy: string;
  #emails = 0;

  constructor(url: string, healthy: string, inbox: Inbox, email = newEmail()) {
    this.email = email;
    this.browser = new Browser({ urls: [url], opaque: lightOpaque });
    this.#healthy = healthy;
    this.#inbox = inbox;
  }

  /** Signs up, from the form to the profile. Throws when the server dies. */
  async signUp(): Promise<void> {
    const { email, password } = this;
    this.#emails = (await this.#inbox.listEmails(email)).length;
    await this.browser.auth.beginSignUp({ email, password, locale: 'en' });
    await this.confirm();
  }

  async confirm(): Promise<void> {
    this.#emails += 1;
    const code = codeIn(await this.#inbox.waitForEmail(this.email, this.#emails));
    await this.browser.auth.confirmSignUp(this.email, code);
  }

  /** Directs later calls to a live process. */
  moveOn(): void {
    this.browser.urls = [this.#healthy];
  }

  /** Reloads the page: a sign-up that the server still knows continues with the code, otherwise it starts again. */
  async carryOn(): Promise<void> {
    const found = await this.browser.auth.findSignUp();
    const emails = (await this.#inbox.listEmails(this.email)).length;
    if (found !== undefined && emails > 0) {
      this.#emails = emails - 1;
      if ((await this.browser.try(() => this.confirm())) === undefined) return;
    }
    await this.signUp();
  }

  /** Signs in from another browser with address and password; returns the error if that fails. */
  async whyUnusable(): Promise<string | undefined> {
    const browser = new Browser({ urls: [this.#healthy], opaque: lightOpaque });
    return browser.try(async () => {
      await browser.auth.signIn(this.email, this.password);
      const user = await browser.call(getUser);
      if (user.email !== this.email || !user.isVerified) throw new AppError('internal');
    });
  }
}

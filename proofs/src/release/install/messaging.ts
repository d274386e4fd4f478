/** Two users of the installation: they sign up by email, add each other, and write, through its TLS. */
import type { Client } from '@dostar/client';
import { openBrowser } from '@dostar/client/testing/browser';
import { untilTimeline } from '@dostar/client/testing/device';
import { type AccountId, directChat } from '@dostar/protocol/ids';
import { newEmail } from '@dostar/client/testing/http-browser';
import { type AuthEnvironment, openSignedOutBrowser, ownerOf } from '../../harness/accounts/passwords.ts';
import { codeIn } from '@dostar/tools/emails';

const PASSWORD = 'four words are enough';

export interface Member extends AsyncDisposable {
  email: string;
  account: AccountId;
  client: Client;
}

export async function signUp(authEnvironment: AuthEnvironment): Promise<Member> {
  const email = newEmail();
  const browser = openSignedOutBrowser(authEnvironment);
  await browser.auth.beginSignUp({ email, password: PASSWORD, locale: 'en' });
  await browser.auth.confirmSignUp(email, codeIn(await authEnvironment.inbox.waitForEmail(email)));
  return startClient(authEnvironment, browser, email);
}

/** A new browser of the same person, with only the password. */
export async function openAgain(authEnvironment: AuthEnvironment, { email }: Member): Promise<Member> {
  const browser = openSignedOutBrowser(authEnvironment);
  await browser.auth.signIn(email, PASSWORD);
  return startClient(authEnvironment, browser, email);
}

async function startClient(
  authEnvironment: AuthEnvironment,
  browser: ReturnType<typeof openSignedOutBrowser>,
  email: string,
): Promise<Member> {
  const { person, accountKey } = await ownerOf(browser);
  const servers = authEnvironment.urls.map((url) => ({ url }));
  const client = openBrowser({ servers }, person, { accountKey }).start();
  return {
    email,
    account: person.account,
    client,
    [Symbol.asyncDispose]: () => client[Symbol.asyncDispose](),
  };
}

/** Sends a text and waits until the recipient has read it. */
export async function write(from: Member, to: Member, text: string): Promise<void> {
  await from.client.sendText({ to: to.account, text });
  await untilRead(to, from, text);
}

export async function untilRead(reader: Member, writer: Member, text: string): Promise<void> {
  await untilTimeline(reader.client, directChat(writer.account, reader.account), (words) => words.includes(text));
}

export async function befriend(one: Member, other: Member): Promise<void> {
  await one.client.contacts.accept(other.account);
  await other.client.contacts.accept(one.account);
}

/** Signs in from a new browser with only the password. */
export async function signIn(authEnvironment: AuthEnvironment, { email, account }: Member): Promise<boolean> {
  const browser = openSignedOutBrowser(authEnvironment);
  await browser.auth.signIn(email, PASSWORD);
  return (await ownerOf(browser)).person.account === account;
}

/** A new user who asks questions with the real client. */
import type { Client, Contact, Message } from '@dostar/client';
import { openBrowser, type TestServers } from '@dostar/client/testing/browser';
import { isOpened } from '@dostar/client/testing/device';
import { until } from '@dostar/client/until';
import type { Locale } from '@dostar/protocol/contract/accounts';
import { type AccountId, type ChatId, directChat, type MessageId } from '@dostar/protocol/ids';
import { newEmail } from '@dostar/client/testing/http-browser';
import { type AuthEnvironment, openSignedOutBrowser, ownerOf } from '../../harness/accounts/passwords.ts';
import { codeIn } from '@dostar/tools/emails';

const PASSWORD = 'four words are enough';
/** More messages than any user here receives. */
const WHOLE = 1_000;

export interface Asker extends AsyncDisposable {
  locale: Locale;
  account: AccountId;
  client: Client;
  amadeus: Contact;
  chat: ChatId;
  ask(text: string): Promise<MessageId>;
  /** Waits until Amadeus's messages, oldest first, satisfy the condition. */
  hear(isRight: (said: Message[]) => boolean): Promise<Message[]>;
}

export async function welcome(authEnvironment: AuthEnvironment, cluster: TestServers, locale: Locale): Promise<Asker> {
  const email = newEmail();
  const browser = openSignedOutBrowser(authEnvironment);
  await browser.auth.beginSignUp({ email, password: PASSWORD, locale });
  await browser.auth.confirmSignUp(email, codeIn(await authEnvironment.inbox.waitForEmail(email)));
  const { person, accountKey } = await ownerOf(browser);
  const client = openBrowser(cluster, person, { accountKey }).start();
  const contacts = await until(client.live.contacts(), (all) => all.some(isThere));
  const amadeus = contacts.find(isThere)!;
  const chat = directChat(person.account, amadeus.id);
  const said = (all: Message[]): Message[] => all.filter(({ sender }) => sender === amadeus.id);
  return {
    locale,
    account: person.account,
    client,
    amadeus,
    chat,
    ask: (text) => client.sendText({ to: amadeus.id, text }),
    async hear(isRight) {
      const whole = client.live.timeline(chat, WHOLE);
      return said(await until(whole, (all) => said(all).every(isOpened) && isRight(said(all))));
    },
    [Symbol.asyncDispose]: () => client[Symbol.asyncDispose](),
  };
}

export function textOf({ shows }: Message): string {
  return shows.state === 'content' && shows.content.kind === 'text' ? shows.content.text : '';
}

function isThere({ isAssistant, username }: Contact): boolean {
  return isAssistant === true && username === 'amadeus';
}

/** Two users who write, send, store and search content that no one else may see. */
import { setTimeout as sleep } from 'node:timers/promises';
import { openBrowser, type TestServers } from '@dostar/client/testing/browser';
import { until } from '@dostar/client/until';
import { type Owner, type SealedBrowser, startBrowser } from '@dostar/client/testing/owners';
import { type ChatId, directChat } from '@dostar/protocol/ids';
import { fillAllFields } from './fill-all-fields.ts';
import type { Canaries } from './canaries.ts';

const FILE_BYTES = 200_000;
const SETTLE_WITHIN_MS = 180_000;

export interface ConversationPlan {
  /** Number of chats between two people; `messages` and `files` count per chat. */
  pairs: number;
  messages: number;
  files: number;
  /** True for clients that encrypt nothing. */
  isClear: boolean;
}

export interface Conversation {
  hers: SealedBrowser;
  his: SealedBrowser;
  chat: ChatId;
}

export async function openSealed(
  cluster: TestServers,
  { person, accountKey }: Owner,
  isClear: boolean,
): Promise<SealedBrowser> {
  const browser = openBrowser(cluster, person, isClear ? {} : { accountKey });
  return isClear
    ? Object.assign(browser, { client: browser.start() })
    : startBrowser(browser, 'dehydrated device visited');
}

export async function runConversation(
  cluster: TestServers,
  alice: Owner,
  bob: Owner,
  canaries: Canaries,
  plan: ConversationPlan,
): Promise<Conversation> {
  const hers = await openSealed(cluster, alice, plan.isClear);
  const his = await openSealed(cluster, bob, plan.isClear);
  const chat = directChat(alice.person.account, bob.person.account);
  const [to, back] = [bob.person.account, alice.person.account];
  let last;
  for (let number = 0; number < plan.messages; number += 1) {
    const id = await hers.client.sendText({ to, text: `${canaries.text} ${number}` });
    last = { sender: back, id };
    if (number % 10 === 0) await hers.client.editText({ to, target: last, text: `${canaries.edit} ${number}` });
    if (number % 10 === 5) await his.client.sendText({ to: back, text: `${canaries.reply} ${number}` });
  }
  for (let number = 0; number < plan.files; number += 1) {
    await hers.client.attachments.upload({
      source: new Blob([canaries.file.repeat(Math.ceil(FILE_BYTES / canaries.file.length))]),
      type: 'text/plain',
      message: {
        to,
        content: { kind: 'media', media: { name: `${canaries['file name']}.txt` }, caption: canaries.caption },
      },
    });
  }
  await hers.client.saveDraft(chat, { text: canaries.draft });
  await hers.client.contacts.change(to, { alias: canaries.alias });
  await hers.client.setSetting('note', canaries.setting);
  await savePrivateProfile(hers, canaries);
  if (last) await hers.client.star(last, true);
  await hers.client.search({ text: canaries.search });
  await settle(hers);
  await settle(his);
  const all = plan.messages + plan.files;
  await until(his.client.live.timeline(chat, 10_000), (shown) => shown.length >= all);
  return { hers, his, chat };
}

/** Stores data that only her own browsers may read. */
async function savePrivateProfile({ client }: SealedBrowser, canaries: Canaries): Promise<void> {
  const { personalInformation, identityProof } = await until(client.live.privateProfile(), () => true);
  await client.savePrivateProfile({
    personalInformation: fillAllFields(personalInformation, canaries['personal information']),
    identityProof: fillAllFields(identityProof, canaries['identity proof']),
  });
}

/** Waits until another browser of hers shows her private data: by then all of it has been on the server. */
export async function waitUntilSynced({ client }: SealedBrowser, chat: ChatId, canaries: Canaries): Promise<void> {
  await until(client.live.draft(chat), (draft) => draft?.text === canaries.draft);
  await until(client.live.settings(), ({ note }) => note === canaries.setting);
  await until(
    client.live.privateProfile(),
    ({ personalInformation, identityProof }) =>
      personalInformation.fullname === canaries['personal information'] &&
      identityProof.passportNumber === canaries['identity proof'],
  );
}

/** Waits until all changes have been sent to the server. */
async function settle({ client }: SealedBrowser): Promise<void> {
  const giveUpAt = performance.now() + SETTLE_WITHIN_MS;
  while ((await until(client.live.outbox(), () => true)) > 0) {
    if (performance.now() > giveUpAt) throw new Error('something is never sent');
    await sleep(100);
  }
}

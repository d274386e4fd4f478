/**
 * Makes the sample people on a running server with the headless client: sign-ups, devices with keys and encrypted
 * messages, as for any user. What they say is in `script.ts`.
 */
import { createOpaqueClient } from '@dostar/client/opaque';
import { Browser as HttpBrowser } from '@dostar/client/testing/http-browser';
import { until } from '@dostar/client/testing/device';
import { startSignUp } from '@dostar/protocol/contract/accounts';
import { AppError } from '@dostar/protocol/errors';
import { directChat } from '@dostar/protocol/ids';
import { type Account, befriend, createAccount } from '../support/account.ts';
import { openPerson, type People, type SampleSite } from './person.ts';
import { isShown, playChat, type SentMessage, untilDecrypted } from './play-chat.ts';
import { saveProfile } from './save-profile.ts';
import { aliceKeeps, request, sampleChats, type SampleName, samplePassword, samplePeople } from './script.ts';

const names = Object.keys(samplePeople) as SampleName[];
const userAgent = 'Sample people';

/** Cheap stretching for people whose password is not printed: the real one takes half a second each. */
const quickOpaque = createOpaqueClient(undefined, [{ memory: 8, iterations: 1, parallelism: 1 }]);

/** Returns the messages sent. Returns undefined and changes nothing if Alice already exists. */
export async function createSamplePeople(
  site: SampleSite,
  beforeChats: (people: People) => Promise<void> = async () => {},
): Promise<SentMessage[] | undefined> {
  if (await isTaken(site)) return undefined;
  const accounts = await Promise.all(names.map((name) => signUp(site, name)));
  await Promise.all(names.map((name, index) => saveProfile(accounts[index]!.http, samplePeople[name])));
  const opened = await Promise.all(accounts.map((account) => openPerson(site, account)));
  const people = Object.fromEntries(names.map((name, index) => [name, opened[index]])) as People;
  await Promise.all(
    sampleChats.map(({ between: [one, other] }) => befriend(people[one].account, people[other].account)),
  );
  await beforeChats(people);
  const [begun, asked] = await Promise.all([
    Promise.all(sampleChats.map((chat) => playChat(people, chat))),
    sendRequest(people),
    keepContacts(people),
  ]);
  const sent = [asked];
  for (const [index, { between, last = [] }] of sampleChats.entries()) {
    sent.push(await playChat(people, { between, steps: last }, begun[index]));
  }
  await Promise.all(names.filter(isPrinted).map((name) => untilReadable(site, people, name)));
  await Promise.all(opened.map((person) => person[Symbol.asyncDispose]()));
  return sent.flat();
}

/** Checks by starting a sign-up, which stores nothing: a sign-in would notify Alice's devices. */
async function isTaken({ origin, server }: SampleSite): Promise<boolean> {
  const http = new HttpBrowser({ urls: [server], origin, userAgent });
  const { request: opaque } = await http.deps.opaque.startRegistration(samplePassword);
  try {
    await http.call(startSignUp, { email: samplePeople.alice.email, locale: 'en', request: opaque });
    return false;
  } catch (error) {
    if (error instanceof AppError && error.code === 'email_taken') return true;
    throw error;
  }
}

/** Whether `./dev up` prints how to sign in as this person. */
function isPrinted(name: SampleName): boolean {
  return name === 'alice' || name === 'bob';
}

function signUp({ origin, server, inbox }: SampleSite, name: SampleName): Promise<Account> {
  const { email } = samplePeople[name];
  const account = { origin, server, inbox, email, password: samplePassword, userAgent };
  return createAccount(isPrinted(name) ? account : { ...account, opaque: quickOpaque });
}

async function sendRequest(people: People): Promise<SentMessage[]> {
  const [by, to] = [people[request.by], people[request.to]];
  await by.client.contacts.accept(to.account.id);
  await by.client.sendText({ to: to.account.id, text: request.text });
  const [message] = await untilDecrypted(to.client, directChat(by.account.id, to.account.id), 1);
  return [{ sender: message!.sender, id: message!.id, at: request.at }];
}

async function keepContacts({ alice, ...others }: People): Promise<void> {
  for (const [name, changes] of Object.entries(aliceKeeps)) {
    const { id } = others[name as keyof typeof others].account;
    await alice.client.contacts.change(id, changes);
  }
}

/**
 * Waits until a new browser with only the password can read every chat: a key may first exist only on the devices here.
 */
async function untilReadable(site: SampleSite, people: People, name: SampleName): Promise<void> {
  const http = new HttpBrowser({ urls: [site.server], origin: site.origin, userAgent });
  await http.auth.signIn(samplePeople[name].email, samplePassword);
  await using fresh = await openPerson(site, { ...people[name].account, http }, 'device unlocked');
  for (const { between, steps, last = [] } of sampleChats.filter((chat) => chat.between.includes(name))) {
    const [one, other] = between;
    const chat = directChat(people[one].account.id, people[other].account.id);
    await untilDecrypted(fresh.client, chat, [...steps, ...last].filter(isShown).length);
  }
  const aliases = name === 'alice' ? Object.values(aliceKeeps).map(({ alias }) => alias) : [];
  await until(fresh.client.live.contacts(), (all) => aliases.every((alias) => all.some((one) => one.alias === alias)));
}

/** Accounts with up to three browsers each, which crash, lose data, sign in and sign out, often concurrently. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type TestBrowserOptions, openBrowser, type TestServers } from '@dostar/client/testing/browser';
import { addOwner, type Owner } from '@dostar/client/testing/owners';
import { revokeCurrentSession } from '@dostar/protocol/contract/sessions';
import { directChat } from '@dostar/protocol/ids';
import { forAll } from '../../harness/lib/for-all.ts';
import { isSent, type Page, sendFrom, startPage, untilWritten } from './running-browser.ts';

const MOST_BROWSERS = 3;
/** Concurrent sign-ins: each takes seconds of processor time. */
const AT_ONCE = 4;
const ASK_AGAIN_MS = 200;

export interface Member {
  owner: Owner;
  /** Empty while all browsers of the account are signed out. */
  browsers: Page[];
  friends: Member[];
  /** Messages that the account sent or received. */
  messages: number;
  /** Index of the server that its browsers use. */
  server: number;
  /** A fault is being injected: one at a time per account. */
  isChanging: boolean;
}

export interface Tally {
  sent: number;
  cuts: number;
  crashes: number;
  wipes: number;
  signIns: number;
  signOuts: number;
}

/** The sabotaged client to run; missing for the real one. */
export type ClientSabotage = Pick<TestBrowserOptions, 'program'>;

interface BrowserPoolDeps {
  cluster: TestServers;
  random: () => number;
  sabotage: ClientSabotage;
}

export class BrowserPool implements AsyncDisposable {
  readonly members: Member[] = [];
  readonly tally: Tally = { sent: 0, cuts: 0, crashes: 0, wipes: 0, signIns: 0, signOuts: 0 };
  readonly #cluster: TestServers;
  readonly #random: () => number;
  readonly #sabotage: ClientSabotage;

  constructor({ cluster, random, sabotage }: BrowserPoolDeps) {
    this.#cluster = cluster;
    this.#random = random;
    this.#sabotage = sabotage;
  }

  /** Neighbours are friends. */
  async signUpAll(count: number): Promise<void> {
    for (let index = 0; index < count; index += 1) {
      const owner = await addOwner(this.#cluster, index % 2);
      const server = index % this.#cluster.servers.length;
      this.members.push({ owner, browsers: [], friends: [], messages: 0, server, isChanging: false });
    }
    for (const [index, member] of this.members.entries()) {
      const friend = this.members[(index + 1) % count]!;
      if (friend === member || member.friends.includes(friend)) continue;
      await this.#cluster.befriend(member.owner.person, friend.owner.person);
      member.friends.push(friend);
      friend.friends.push(member);
    }
    await forAll(this.members, AT_ONCE, (member) => this.signIn(member));
  }

  /** Written messages that no server has stored yet. */
  countUnsent(): number {
    return this.members.flatMap(({ browsers }) => browsers).reduce((sum, { unsent }) => sum + unsent.size, 0);
  }

  /** Returns false if no browser could send. */
  async say(text: string): Promise<boolean> {
    const member = this.#pick(this.members.filter(({ browsers }) => browsers.some(isFree)));
    if (member === undefined) return false;
    await this.#send(member, this.#pick(member.browsers.filter(isFree))!, this.#pick(member.friends)!, text);
    return true;
  }

  async #send(member: Member, browser: Page, friend: Member, text: string): Promise<void> {
    this.tally.sent += 1;
    member.messages += 1;
    friend.messages += 1;
    await sendFrom(browser, friend.owner.person.account, text);
  }

  /** One random fault or change of one account. */
  async injectFault(): Promise<void> {
    const member = this.#pick(this.members.filter(({ isChanging }) => !isChanging));
    if (member !== undefined) await this.#change([member], () => this.#injectFault(member));
  }

  async #injectFault(member: Member): Promise<void> {
    const browser = this.#pick(member.browsers);
    const roll = this.#random();
    if (browser === undefined) await this.signIn(member);
    else if (roll < 0.35) this.#cut(browser);
    else if (roll < 0.55) await this.#crash(member, browser);
    else if (roll < 0.7) await this.signIn(member);
    else if (roll < 0.85) await this.#signOut(member, browser);
    else await this.#wipe(member, browser);
  }

  /**
   * No browser of the recipient is online when the message is sent, and none of the sender when it is read: only the
   * recipient's dehydrated device receives the key, from a sender's device that is deleted by then.
   */
  async sendWhileOffline(text: string): Promise<void> {
    const member = this.#pick(this.members.filter(({ isChanging }) => !isChanging));
    const friend = member && this.#pick(member.friends.filter(({ isChanging }) => !isChanging));
    if (member === undefined || friend === undefined) return void (await this.say(text));
    await this.#change([member, friend], async () => {
      if (member.browsers.length === 0) await this.signIn(member);
      const [browser] = member.browsers;
      const isGone = await this.#signOutAll(friend);
      await this.#send(member, browser!, friend, text);
      if (isGone) await this.#signOutAll(member);
      await this.signIn(friend);
      await this.signIn(member);
    });
  }

  async #change(members: Member[], task: () => Promise<void>): Promise<void> {
    for (const member of members) member.isChanging = true;
    await task();
    for (const member of members) member.isChanging = false;
  }

  async signIn(member: Member): Promise<void> {
    if (member.browsers.length >= MOST_BROWSERS) return;
    const { person, accountKey } = member.owner;
    const browser = openBrowser(this.#cluster, await this.#cluster.addDevice(person), {
      accountKey,
      ...this.#sabotage,
    });
    member.browsers.push(startPage(browser, member.server));
    this.tally.signIns += 1;
  }

  #cut(browser: Page): void {
    browser.cut();
    this.tally.cuts += 1;
  }

  /** Closes the browser without a sign-out and opens it again with its stored data. */
  async #crash(member: Member, browser: Page): Promise<void> {
    await this.#busy(browser, async () => {
      await untilWritten(browser);
      browser.cut();
      await browser.client[Symbol.asyncDispose]();
      startPage(browser, member.server, browser.unsent);
      this.tally.crashes += 1;
    });
  }

  /**
   * Deletes the browser's storage but keeps its cookie. Waits until all is sent: losing unsent messages is not tested
   * here.
   */
  async #wipe(member: Member, browser: Page): Promise<void> {
    await this.#busy(browser, async () => {
      if (!(await isSent(browser))) return;
      await browser.client[Symbol.asyncDispose]();
      const { person, accountKey } = member.owner;
      const wiped = openBrowser(this.#cluster, person, { accountKey, token: browser.token, ...this.#sabotage });
      member.browsers[member.browsers.indexOf(browser)] = startPage(wiped, member.server);
      this.tally.wipes += 1;
    });
  }

  /** Signs out once everything is sent, as a user does. Returns false if something stayed unsent. */
  async #signOut(member: Member, browser: Page): Promise<boolean> {
    return this.#busy(browser, async () => {
      if (!(await isSent(browser))) return false;
      member.browsers.splice(member.browsers.indexOf(browser), 1);
      await browser.client[Symbol.asyncDispose]();
      while (!(await this.#revokeCurrentSession(member, browser))) await sleep(ASK_AGAIN_MS);
      this.tally.signOuts += 1;
      return true;
    });
  }

  /** Returns whether a server took the call: it may just have been killed. */
  async #revokeCurrentSession({ owner }: Member, { token }: Page): Promise<boolean> {
    try {
      const { status } = await this.#cluster.call(revokeCurrentSession, { ...owner.person, token });
      return status < 500;
    } catch {
      return false;
    }
  }

  /** Returns whether everything was sent and all browsers are signed out. */
  async #signOutAll(member: Member): Promise<boolean> {
    const areOut = await Promise.all(member.browsers.slice().map((browser) => this.#signOut(member, browser)));
    return areOut.every(Boolean);
  }

  /** Runs the task while no user writes in the browser. */
  async #busy<T>(browser: Page, task: () => Promise<T>): Promise<T> {
    browser.isBusy = true;
    const result = await task();
    browser.isBusy = false;
    return result;
  }

  /** Every user signs in with one more new browser, which has to read all messages too. */
  async renew(): Promise<void> {
    await forAll(this.members, AT_ONCE, async (member) => {
      const [oldest] = member.browsers;
      if (member.browsers.length === MOST_BROWSERS && oldest !== undefined) await this.#signOut(member, oldest);
      await this.signIn(member);
    });
  }

  chatsOf({ owner, friends }: Member) {
    return friends.map((friend) => directChat(owner.person.account, friend.owner.person.account));
  }

  #pick<T>(list: T[]): T | undefined {
    return list[Math.floor(this.#random() * list.length)];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const { browsers } of this.members) {
      for (const { client } of browsers) await client[Symbol.asyncDispose]();
    }
  }
}

function isFree({ isBusy }: Page): boolean {
  return !isBusy;
}

/** One run of a check: its users, their browsers, and its timeouts. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Message } from '@dostar/client';
import type { TestBrowserOptions, TestServers } from '@dostar/client/testing/browser';
import { openBrowser } from '@dostar/client/testing/browser';
import { wordsOf } from '@dostar/client/testing/device';
import { addFriends, type Owner, type SealedBrowser } from '@dostar/client/testing/owners';
import type { Program } from '@dostar/client/testing/sabotage';
import type { Safeguard } from '@dostar/client/testing/safeguards';
import type { AccountId, ChatId } from '@dostar/protocol/ids';
import type { ShardDb } from '../../../../apps/server/src/platform/postgres/pools.ts';
import type { Context } from '../../../../apps/server/src/context.ts';
import type { Inbox } from '../accounts/inbox.ts';

/** Thrown when the claim of the check does not hold. Any other error says nothing about the claim. */
export class Refuted extends Error {}

export interface CheckEnvironment {
  ctx: Context;
  cluster: TestServers;
  inbox: Inbox;
  /** Safeguards left out of the client. */
  without: readonly Safeguard[];
  /** The sabotaged client; undefined for the real one. */
  program: Program | undefined;
  isWithoutLocks: boolean;
}

const SET_UP_WITHIN_MS = 120_000;

export class CheckRun implements AsyncDisposable {
  readonly environment: CheckEnvironment;
  readonly cluster: TestServers;
  /** How long it watches for an event that must not happen. */
  readonly watchMs: number;
  readonly #patienceMs: number;
  readonly #browsers: SealedBrowser[] = [];
  /** The longest time that a claimed state took. */
  slowestMs = 0;

  constructor(environment: CheckEnvironment, { patienceMs, watchMs }: { patienceMs: number; watchMs: number }) {
    this.environment = environment;
    this.cluster = environment.cluster;
    this.watchMs = watchMs;
    this.#patienceMs = patienceMs;
  }

  addFriends() {
    return addFriends(this.cluster);
  }

  /** Signs in to a new browser and waits until it is unlocked or locked. */
  async signIn(owner: Owner, edge: TestBrowserOptions = {}): Promise<SealedBrowser> {
    const { person, accountKey } = owner;
    const browser = this.open({ person: await this.cluster.addDevice(person), accountKey }, edge);
    const goal = this.environment.without.includes('dehydratedDevice')
      ? 'device unlocked'
      : 'dehydrated device visited';
    await this.ready('a browser is signed in', () => hasEvent(browser, goal, 'device locked'));
    return browser;
  }

  /** Opens a browser with the session of its owner and the storage given in `edge`. */
  open({ person, accountKey }: Owner, edge: TestBrowserOptions = {}): SealedBrowser {
    const { program } = this.environment;
    const browser = openBrowser(this.cluster, person, { accountKey, ...(program && { program }), ...edge });
    return this.start(browser);
  }

  /** Starts a closed browser again. */
  start(browser: ReturnType<typeof openBrowser>): SealedBrowser {
    browser.events.length = 0;
    const started = Object.assign(browser, { client: browser.start() });
    this.#browsers.push(started);
    return started;
  }

  /** Part of the set-up: its failure does not refute the claim. */
  async ready(what: string, isSo: () => boolean | Promise<boolean>): Promise<void> {
    if (!(await this.#wait(SET_UP_WITHIN_MS, isSo))) throw new Error(`set-up failed: ${what}`);
  }

  /** Part of the claim: becomes true within the timeout. */
  async becomes(what: string, isSo: () => boolean | Promise<boolean>): Promise<void> {
    const begun = performance.now();
    if (!(await this.#wait(this.#patienceMs, isSo))) throw new Refuted(what);
    this.slowestMs = Math.max(this.slowestMs, performance.now() - begun);
  }

  /** Part of the claim: is true now. */
  holds(what: string, isSo: boolean, found?: unknown): void {
    if (!isSo) throw new Refuted(found === undefined ? what : `${what}; found ${JSON.stringify(found)}`);
  }

  /** Part of the claim: is true and stays true while it watches. */
  async stays(what: string, isSo: () => Promise<boolean>): Promise<void> {
    if (await this.#wait(this.watchMs, async () => !(await isSo()))) throw new Refuted(what);
  }

  /** Part of the claim: each client shows exactly these texts within the timeout. */
  async read(chat: ChatId, words: string[], ...browsers: SealedBrowser[]): Promise<void> {
    for (const [index, browser] of browsers.entries()) {
      const what = `browser ${index + 1} of ${browsers.length} reads ${JSON.stringify(words)}`;
      await this.becomes(what, async () => JSON.stringify(await showWords(browser, chat)) === JSON.stringify(words));
    }
  }

  /** The same as part of the set-up. */
  async readFirst(chat: ChatId, words: string[], ...browsers: SealedBrowser[]): Promise<void> {
    for (const browser of browsers) {
      const isSo = async () => JSON.stringify(await showWords(browser, chat)) === JSON.stringify(words);
      await this.ready(`reads ${JSON.stringify(words)}`, isSo);
    }
  }

  /** Changes the account's shard directly, as a malicious server could. */
  touch<T>(account: AccountId, act: (db: ShardDb) => Promise<T>): Promise<T> {
    return this.environment.ctx.shards.of(account).query(act);
  }

  async #wait(patienceMs: number, isSo: () => boolean | Promise<boolean>): Promise<boolean> {
    const giveUpAt = performance.now() + patienceMs;
    while (!(await isSo())) {
      if (performance.now() > giveUpAt) return false;
      await sleep(50);
    }
    return true;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#browsers.map(({ client }) => client[Symbol.asyncDispose]()));
  }
}

export function hasEvent({ events }: { events: string[] }, ...wanted: string[]): boolean {
  return events.some((event) => wanted.includes(event));
}

export function show({ client }: SealedBrowser, chat: ChatId): Promise<Message[]> {
  return client.listHistory({ chat, limit: 1_000 });
}

async function showWords(browser: SealedBrowser, chat: ChatId): Promise<string[]> {
  return wordsOf(await show(browser, chat));
}

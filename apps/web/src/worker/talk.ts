/** What worker and pages say to each other. */

/** To a page: what is the newest of this chat, once entry `at` is here? Answered through the port with words or nothing. */
export interface SayQuestion {
  t: 'say';
  chat: string;
  at: number;
}

/** To a page: show this address. */
export interface OpenWish {
  t: 'open';
  path: string;
}

/** To a page that is being looked at: this came while it was. */
export interface PushNews {
  t: 'pushed';
  push: object;
}

export type WorkerMessage = SayQuestion | OpenWish | PushNews;

/** From a page that unloads: the key that the next page of this tab needs. Structured like the client's `UnlockedKey`. */
export interface HoldKey {
  t: 'hold-key';
  account: string;
  unlocked: object;
}

/** From a page that starts; answered through the port with the key, or with null. */
export interface TakeKey {
  t: 'take-key';
  account: string;
}

/** From a page that locks the app. */
export interface DropKey {
  t: 'drop-key';
}

export type PageMessage = HoldKey | TakeKey | DropKey;

/** Undefined for a message of another form: the page discards it. */
export function readWorkerMessage(data: unknown): WorkerMessage | undefined {
  const said = data as { [F in keyof SayQuestion | 'path' | 'push']?: unknown } | null | undefined;
  const isKnown =
    (said?.t === 'say' && typeof said.chat === 'string' && typeof said.at === 'number') ||
    // A path of this site; browsers read `/\host` like `//host`.
    (said?.t === 'open' && typeof said.path === 'string' && /^\/(?![/\\])/.test(said.path)) ||
    (said?.t === 'pushed' && typeof said.push === 'object' && said.push !== null);
  return isKnown ? (data as WorkerMessage) : undefined;
}

/** Undefined for a message of another form: the service worker discards it. */
export function readPageMessage(data: unknown): PageMessage | undefined {
  const said = data as { [F in keyof HoldKey]?: unknown } | null | undefined;
  const hasAccount = typeof said?.account === 'string';
  const isKnown =
    (said?.t === 'hold-key' && hasAccount && typeof said.unlocked === 'object' && said.unlocked !== null) ||
    (said?.t === 'take-key' && hasAccount) ||
    said?.t === 'drop-key';
  return isKnown ? (data as PageMessage) : undefined;
}

/** What a notice keeps for the moment it is pressed. */
export interface NoticeData {
  chat: string;
  at: number;
  peer?: string;
  username?: string;
}

/** What worker and pages say to each other. */

/** To a page: what is the newest of this chat, once entry `at` is here? Answered through the port with words or nothing. */
export interface PreviewRequest {
  t: 'say';
  chat: string;
  at: number;
}

/** To a page: show this address. */
export interface OpenPathMessage {
  t: 'open';
  path: string;
}

/** To a page that is being looked at: this came while it was. */
export interface PushReceivedMessage {
  t: 'pushed';
  push: object;
}

export type WorkerMessage = PreviewRequest | OpenPathMessage | PushReceivedMessage;

/** From a page that unloads: the key that the next page of this tab needs. Structured like the client's `UnlockedKey`. */
export interface HoldKeyMessage {
  t: 'hold-key';
  account: string;
  unlocked: object;
}

/** From a page that starts; answered through the port with the key, or with null. */
export interface TakeKeyMessage {
  t: 'take-key';
  account: string;
}

/** From a page that locks the app. */
export interface DropKeyMessage {
  t: 'drop-key';
}

export type PageMessage = HoldKeyMessage | TakeKeyMessage | DropKeyMessage;

/** Undefined for a message of another form: the page discards it. */
export function readWorkerMessage(data: unknown): WorkerMessage | undefined {
  const message = data as { [F in keyof PreviewRequest | 'path' | 'push']?: unknown } | null | undefined;
  const isKnown =
    (message?.t === 'say' && typeof message.chat === 'string' && typeof message.at === 'number') ||
    // A path of this site; browsers read `/\host` like `//host`.
    (message?.t === 'open' && typeof message.path === 'string' && /^\/(?![/\\])/.test(message.path)) ||
    (message?.t === 'pushed' && typeof message.push === 'object' && message.push !== null);
  return isKnown ? (data as WorkerMessage) : undefined;
}

/** Undefined for a message of another form: the service worker discards it. */
export function readPageMessage(data: unknown): PageMessage | undefined {
  const message = data as { [F in keyof HoldKeyMessage]?: unknown } | null | undefined;
  const hasAccount = typeof message?.account === 'string';
  const isKnown =
    (message?.t === 'hold-key' && hasAccount && typeof message.unlocked === 'object' && message.unlocked !== null) ||
    (message?.t === 'take-key' && hasAccount) ||
    message?.t === 'drop-key';
  return isKnown ? (data as PageMessage) : undefined;
}

/** What a notification keeps for the moment it is pressed. */
export interface NotificationData {
  chat: string;
  at: number;
  peer?: string;
  username?: string;
}

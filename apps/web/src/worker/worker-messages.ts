/** Messages between the service worker and pages. */

/**
 * To a page: asks for the text of the chat's newest message, once entry `at` is here. The port gets it, or undefined.
 */
export interface PreviewRequest {
  t: 'say';
  chat: string;
  at: number;
}

/** To a page: navigate to this path. */
export interface OpenPathMessage {
  t: 'open';
  path: string;
}

/** To a focused page: this push arrived. */
export interface PushReceivedMessage {
  t: 'pushed';
  push: object;
}

export type WorkerMessage = PreviewRequest | OpenPathMessage | PushReceivedMessage;

/** From a page that unloads: the key for the next page of this tab, in the structure of the client's `UnlockedKey`. */
export interface HoldKeyMessage {
  t: 'hold-key';
  account: string;
  unlocked: object;
}

/** From a page that starts: the port gets the key, or null. */
export interface TakeKeyMessage {
  t: 'take-key';
  account: string;
}

/** From a page that locks the app. */
export interface DropKeyMessage {
  t: 'drop-key';
}

export type PageMessage = HoldKeyMessage | TakeKeyMessage | DropKeyMessage;

/** Undefined for a malformed message, which the page discards. */
export function readWorkerMessage(data: unknown): WorkerMessage | undefined {
  const message = data as { [F in keyof PreviewRequest | 'path' | 'push']?: unknown } | null | undefined;
  const isKnown =
    (message?.t === 'say' && typeof message.chat === 'string' && typeof message.at === 'number') ||
    // Only a path of this site; browsers read `/\host` like `//host`.
    (message?.t === 'open' && typeof message.path === 'string' && /^\/(?![/\\])/.test(message.path)) ||
    (message?.t === 'pushed' && typeof message.push === 'object' && message.push !== null);
  return isKnown ? (data as WorkerMessage) : undefined;
}

/** Undefined for a malformed message, which the service worker discards. */
export function readPageMessage(data: unknown): PageMessage | undefined {
  const message = data as { [F in keyof HoldKeyMessage]?: unknown } | null | undefined;
  const hasAccount = typeof message?.account === 'string';
  const isKnown =
    (message?.t === 'hold-key' && hasAccount && typeof message.unlocked === 'object' && message.unlocked !== null) ||
    (message?.t === 'take-key' && hasAccount) ||
    message?.t === 'drop-key';
  return isKnown ? (data as PageMessage) : undefined;
}

/** Data stored in a notification, for the handler of its press. */
export interface NotificationData {
  chat: string;
  at: number;
  peer?: string;
  username?: string;
}

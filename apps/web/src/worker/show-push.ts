/**
 * Shows a push as a notification. A push contains only a tag and numbers: the name comes from this device's database,
 * and the text from an open page that can decrypt the message.
 */
import type { ChatLabel } from '@dostar/client/service-worker-client';
import { productName } from '@dostar/protocol/product';
import { loadServiceWorkerClient } from './load-service-worker-client.ts';
import { alertFor } from './message-alert.ts';
import { type ServiceWorkerState, readServiceWorkerState, readShown, writeShown } from './service-worker-state.ts';
import { testTag, unknownTag } from './names.ts';
import { withNotificationLock } from './notification-lock.ts';
import { type Push, readPush } from './read-push.ts';
import type { NotificationData, PushReceivedMessage, PreviewRequest } from './worker-messages.ts';

declare const self: ServiceWorkerGlobalScope;

const fallback: ServiceWorkerState = {
  prefix: '',
  hasWords: false,
  hasSound: true,
  words: { message: 'New message', test: 'Notifications work', reply: 'Reply', placeholder: '', read: 'Mark as read' },
};
const answerTimeoutMs = 2000;

type MessagePush = Extract<Push, { kind: 'message' }>;

/** TypeScript's types do not include actions with a text field yet. */
interface ActionNotificationOptions extends NotificationOptions {
  actions?: { action: string; title: string; type?: 'text'; placeholder?: string }[];
  renotify?: boolean;
  timestamp?: number;
}

export async function showPush(text: string | undefined): Promise<void> {
  const push = readPush(text);
  await notifyFocusedPages(push);
  const state = (await readServiceWorkerState()) ?? fallback;
  switch (push.kind) {
    case 'test':
      return show(productName, { tag: testTag, body: state.words.test });
    case 'announcement':
      return show(productName, { tag: push.id, body: push.text });
    case 'unknown':
      return show(state.words.message, { tag: unknownTag });
    case 'message':
      return showMessage(push, state);
  }
}

/** Makes focused pages write the push to the console, also if no notification is shown. */
async function notifyFocusedPages(push: Push): Promise<void> {
  for (const page of await self.clients.matchAll({ type: 'window' })) {
    if (page.focused) page.postMessage({ t: 'pushed', push } satisfies PushReceivedMessage, []);
  }
}

async function showMessage(push: MessagePush, state: ServiceWorkerState): Promise<void> {
  await navigator.setAppBadge?.(push.n).catch(() => undefined);
  const pages = await self.clients.matchAll({ type: 'window' });
  const label = await findChatLabel(push, state);
  const chat = label?.chat ?? push.id;
  // An unlocked page with the focus shows the message itself. A message that was shown once does not alert again.
  const isSeen = label?.isLocked !== true && pages.some(({ focused }) => focused);
  if (isSeen || push.at <= (await readShown(chat))) return;
  // The server sends no pushes about muted or archived chats, but this push may have left before the change.
  const alert = alertFor(label?.preferences, state.hasSound);
  if (alert === undefined) return;
  await writeShown(chat, push.at);
  const name = state.hasWords ? label?.name : undefined;
  const words = name === undefined || label === undefined ? undefined : await requestPreview(pages, label, push);
  const data: NotificationData = { chat, at: push.at, ...labelData(label) };
  await show(name ?? state.words.message, {
    tag: chat,
    data,
    renotify: true,
    silent: alert.sound === 'none',
    ...(name !== undefined && { body: words ?? state.words.message }),
    ...(label?.peer !== undefined && { actions: actionsOf(state) }),
  });
}

/** Undefined if the database is outdated or being deleted: the notification then shows no name. */
async function findChatLabel({ id }: MessagePush, { tagKey }: ServiceWorkerState): Promise<ChatLabel | undefined> {
  if (tagKey === undefined) return undefined;
  try {
    const client = loadServiceWorkerClient();
    const account = await client.findAccount();
    return account && (await client.findChatLabel(account, { tag: id, tagKey }));
  } catch {
    return undefined;
  }
}

/** The text from the first page that has the message; undefined if no page answers within two seconds. */
async function requestPreview(
  pages: readonly Client[],
  { chat }: ChatLabel,
  { at }: MessagePush,
): Promise<string | undefined> {
  if (pages.length === 0) return undefined;
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  setTimeout(() => resolve(undefined), answerTimeoutMs);
  for (const page of pages) {
    const { port1, port2 } = new MessageChannel();
    port1.addEventListener('message', ({ data }: MessageEvent<unknown>) => typeof data === 'string' && resolve(data));
    port1.start();
    page.postMessage({ t: 'say', chat, at } satisfies PreviewRequest, [port2]);
  }
  return promise;
}

function actionsOf({ words }: ServiceWorkerState): NonNullable<ActionNotificationOptions['actions']> {
  // The text field last: Chromium on Linux counts the buttons without it, and would confuse the first with the second.
  return [
    { action: 'read', title: words.read },
    { action: 'reply', title: words.reply, type: 'text', placeholder: words.placeholder },
  ];
}

function labelData(label: ChatLabel | undefined): Pick<NotificationData, 'peer' | 'username'> {
  return {
    ...(label?.peer !== undefined && { peer: label.peer }),
    ...(label?.username !== undefined && { username: label.username }),
  };
}

async function show(title: string, options: ActionNotificationOptions): Promise<void> {
  const all = { icon: '/icons/icon-192.png', ...options };
  await withNotificationLock(() => self.registration.showNotification(title, all));
}

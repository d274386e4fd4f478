/**
 * A push becomes a notice. It came with a tag and numbers only: the name is this device's own knowledge, and the words are
 * a page's, if one is there to open them.
 */
import type { ChatLabel } from '@dostar/client/service-worker-client';
import { productName } from '@dostar/protocol/product';
import { loadAside } from './load-client.ts';
import { type Memo, readMemo, readShown, writeShown } from './service-worker-state.ts';
import { testTag, unknownTag } from './names.ts';
import { withNotices } from './notice-lock.ts';
import { type Push, readPush } from './read-push.ts';
import type { NoticeData, PushNews, SayQuestion } from './talk.ts';

declare const self: ServiceWorkerGlobalScope;

const fallback: Memo = {
  prefix: '',
  hasWords: false,
  hasSound: true,
  words: { message: 'New message', test: 'Notifications work', reply: 'Reply', placeholder: '', read: 'Mark as read' },
};
const answerWithin = 2000;

type MessagePush = Extract<Push, { kind: 'message' }>;

/** Actions with a field to write in are not in the types yet. */
interface NoticeOptions extends NotificationOptions {
  actions?: { action: string; title: string; type?: 'text'; placeholder?: string }[];
  renotify?: boolean;
  timestamp?: number;
}

export async function showPush(text: string | undefined): Promise<void> {
  const push = readPush(text);
  await tellFocused(push);
  const memo = (await readMemo()) ?? fallback;
  switch (push.kind) {
    case 'test':
      return show(productName, { tag: testTag, body: memo.words.test });
    case 'announcement':
      return show(productName, { tag: push.id, body: push.text });
    case 'unknown':
      return show(memo.words.message, { tag: unknownTag });
    case 'message':
      return showMessage(push, memo);
  }
}

/** Whoever develops or helps sees in the console that it came, also where nothing is shown. */
async function tellFocused(push: Push): Promise<void> {
  for (const page of await self.clients.matchAll({ type: 'window' })) {
    if (page.focused) page.postMessage({ t: 'pushed', push } satisfies PushNews, []);
  }
}

async function showMessage(push: MessagePush, memo: Memo): Promise<void> {
  await navigator.setAppBadge?.(push.n).catch(() => undefined);
  const pages = await self.clients.matchAll({ type: 'window' });
  const note = await findChatLabel(push, memo);
  const chat = note?.chat ?? push.id;
  // A visible, unlocked page shows the message itself. A message that was shown once does not ring again.
  const isSeen = note?.isLocked !== true && pages.some(({ focused }) => focused);
  if (isSeen || push.at <= (await readShown(chat))) return;
  // The server knows of it too, if this device has been able to say so.
  if ((note?.mutedUntil ?? 0) > Date.now()) return;
  await writeShown(chat, push.at);
  const name = memo.hasWords ? note?.name : undefined;
  const words = name === undefined || note === undefined ? undefined : await askPages(pages, note, push);
  const data: NoticeData = { chat, at: push.at, ...pick(note) };
  await show(name ?? memo.words.message, {
    tag: chat,
    data,
    renotify: true,
    silent: !memo.hasSound,
    ...(name !== undefined && { body: words ?? memo.words.message }),
    ...(note?.peer !== undefined && { actions: actionsOf(memo) }),
  });
}

/** An old database, or one that is being wiped: the notice then names nobody. */
async function findChatLabel({ id }: MessagePush, { tagKey }: Memo): Promise<ChatLabel | undefined> {
  if (tagKey === undefined) return undefined;
  try {
    const aside = loadAside();
    const account = await aside.findAccount();
    return account && (await aside.findChatLabel(account, { tag: id, tagKey }));
  } catch {
    return undefined;
  }
}

/** The first that knows; nobody within two seconds is an answer too. */
async function askPages(
  pages: readonly Client[],
  { chat }: ChatLabel,
  { at }: MessagePush,
): Promise<string | undefined> {
  if (pages.length === 0) return undefined;
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  setTimeout(() => resolve(undefined), answerWithin);
  for (const page of pages) {
    const { port1, port2 } = new MessageChannel();
    port1.addEventListener('message', ({ data }: MessageEvent<unknown>) => typeof data === 'string' && resolve(data));
    port1.start();
    page.postMessage({ t: 'say', chat, at } satisfies SayQuestion, [port2]);
  }
  return promise;
}

function actionsOf({ words }: Memo): NonNullable<NoticeOptions['actions']> {
  // The field last: Chromium on Linux counts the buttons without it, and would take the second for the first.
  return [
    { action: 'read', title: words.read },
    { action: 'reply', title: words.reply, type: 'text', placeholder: words.placeholder },
  ];
}

function pick(note: ChatLabel | undefined): Pick<NoticeData, 'peer' | 'username'> {
  return {
    ...(note?.peer !== undefined && { peer: note.peer }),
    ...(note?.username !== undefined && { username: note.username }),
  };
}

async function show(title: string, options: NoticeOptions): Promise<void> {
  const all = { icon: '/icons/icon-192.png', ...options };
  await withNotices(() => self.registration.showNotification(title, all));
}

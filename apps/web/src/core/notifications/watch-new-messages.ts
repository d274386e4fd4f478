/**
 * Announces new messages while a page is open: by notifications if the page is hidden, by a sound if it is visible.
 * Closes notifications once their chat was read, here or on another device.
 */
import type { ChatSummary, Client, Contact, Message } from '@dostar/client';
import type { ChatId } from '@dostar/protocol/ids';
import { alertFor, type MessageSound } from '../../worker/message-alert.ts';
import { readServiceWorkerState, readShown, writeShown } from '../../worker/service-worker-state.ts';
import { withNotificationLock } from '../../worker/notification-lock.ts';
import type { NotificationData } from '../../worker/worker-messages.ts';
import { readLocale } from '../i18n/locale.ts';
import { playSound } from './play-sound.ts';
import { previewMessage } from '../messenger/preview-message.ts';
import { readSettings } from '../lib/settings.ts';
import { readTexts, requestTexts } from '../i18n/texts.ts';

/** The newest chats, which include all chats with new messages. */
const CHAT_LIMIT = 30;

interface NewMessageAlert {
  summary: ChatSummary;
  contact: Contact | undefined;
  sound: MessageSound;
}

/** Returns a function that stops it. */
export function watchNewMessages(client: Client, account: string): () => void {
  const chats = client.live.chats({ limit: CHAT_LIMIT });
  const contacts = client.live.contacts();
  let known: Map<ChatId, number> | undefined;

  function handleChange(): void {
    const list = chats.getSnapshot();
    const people = contacts.getSnapshot();
    if (list === undefined || people === undefined) return;
    const before = known;
    known = new Map(list.map(({ chat, last }) => [chat, before ? placeSeen(last, before.get(chat)) : last.place]));
    void closeReadNotifications(list);
    if (before === undefined) return;
    const { hasSoundHere, hasSoundAway } = readSettings();
    const alerts = list
      .filter((one) => isNewMessage(one, before.get(one.chat) ?? 0, account))
      .flatMap((summary) => {
        const contact = people.find(({ id }) => id === summary.peer);
        const alert = alertFor(contact, document.hidden ? hasSoundAway : hasSoundHere);
        return alert === undefined ? [] : [{ summary, contact, ...alert }];
      });
    if (document.hidden && areNotificationsEnabled()) {
      for (const one of alerts) void show(one);
      return;
    }
    const audible = alerts.find(({ sound }) => sound !== 'none');
    if (audible !== undefined) playSound(audible.sound);
  }

  const stops = [chats.subscribe(handleChange), contacts.subscribe(handleChange)];
  return () => {
    for (const stop of stops) stop();
  };
}

/** A message that is not decrypted yet does not count as seen, so it is announced once it is decrypted. */
function placeSeen({ place, shows }: Message, before = 0): number {
  return shows.state === 'waiting' ? before : place;
}

async function show({ summary, contact, sound }: NewMessageAlert): Promise<void> {
  const { chat, peer, last } = summary;
  await requestTexts('said', 'preferences');
  const texts = readTexts(readLocale(window.location.pathname));
  const name = contact?.alias ?? contact?.name ?? contact?.username;
  const { hasWordsInNotices } = readSettings();
  const hasWords = hasWordsInNotices && name !== undefined;
  const title = hasWords ? name : texts.translator('preferences')('notify.hidden');
  const data: NotificationData = {
    chat,
    at: last.place,
    ...(peer !== undefined && { peer }),
    ...(contact?.username !== undefined && { username: contact.username }),
  };
  const isFirst = await markShown(summary);
  const hasOwnSound = sound !== 'default' && sound !== 'none';
  // A notification can't have a sound of its own: the page plays it, once for all tabs.
  const isSilent = sound === 'none' || (hasOwnSound && (!isFirst || playSound(sound)));
  const options = {
    tag: chat,
    data,
    icon: '/icons/icon-192.png',
    silent: isSilent,
    ...(hasWords && { body: previewMessage(last.shows, texts.translator('said')) }),
  };
  const registration = await navigator.serviceWorker?.getRegistration();
  if (registration?.active) return withNotificationLock(() => registration.showNotification(title, options));
  const notification = new Notification(title, options);
  notification.addEventListener('click', () => {
    window.focus();
    notification.close();
  });
}

/**
 * Closes the notification of a chat that was read, and updates the badge. A notification of a message that this page has
 * not received yet stays: the worker may know more than this page.
 */
async function closeReadNotifications(list: readonly ChatSummary[]): Promise<void> {
  const audible = list.filter(({ isArchived, mutedUntil }) => !isArchived && mutedUntil < Date.now());
  // Only an installed app has a badge.
  await navigator.setAppBadge?.(audible.reduce((sum, { unread }) => sum + unread, 0)).catch(() => undefined);
  const registration = await navigator.serviceWorker?.getRegistration();
  if (registration === undefined) return;
  for (const notification of await withNotificationLock(() => registration.getNotifications())) {
    const data = notification.data as NotificationData | null;
    const about = list.find(({ chat }) => chat === data?.chat);
    if (data !== null && about?.unread === 0 && about.last.place >= data.at) notification.close();
  }
}

/** Prevents a push about the same message from being shown again. Returns whether no other tab has shown it. */
async function markShown({ chat, last }: ChatSummary): Promise<boolean> {
  if ((await readServiceWorkerState()) === undefined) return true;
  return withNotificationLock(async () => {
    const shown = await readShown(chat);
    if (shown < last.place) await writeShown(chat, last.place);
    return shown < last.place;
  });
}

function areNotificationsEnabled(): boolean {
  return readSettings().isNotifying && 'Notification' in window && Notification.permission === 'granted';
}

/** Whether the last message is decrypted, unread, of someone else, and later than all messages seen in the chat. */
function isNewMessage({ last, unread }: ChatSummary, before: number, account: string): boolean {
  return unread > 0 && last.sender !== account && last.place > before && last.shows.state === 'content';
}

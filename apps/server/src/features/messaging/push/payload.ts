/**
 * The payload of a push: no sender and no text (SPEC N3).
 *
 * All have one size, so that the length tells nothing either. JSON ignores the blanks at the end.
 */
import { createHmac } from 'node:crypto';
import type { Locale } from '@dostar/protocol/contract/accounts';
import type { PushPayload } from '@dostar/protocol/contract/push';
import type { ChatId } from '@dostar/protocol/ids';
import { productName } from '@dostar/protocol/product';

const SIZE = 512;
const TAG_LENGTH = 22;

/** What a browser shows without our service worker (declarative push); no names there either. */
const FALLBACK: Record<Locale, Record<PushPayload['kind'], string>> = {
  en: { message: 'New message', test: 'Notifications work' },
  kz: { message: 'Жаңа хабарлама', test: 'Хабарландырулар жұмыс істеп тұр' },
  ru: { message: 'Новое сообщение', test: 'Уведомления работают' },
};

export function writePayload(payload: PushPayload, { locale, origin }: { locale: Locale; origin: string }): string {
  const notification = {
    title: productName,
    body: FALLBACK[locale][payload.kind],
    tag: payload.id,
    lang: locale === 'kz' ? 'kk' : locale,
    navigate: `${origin}/`,
  };
  const text = JSON.stringify({ web_push: 8030, mutable: true, app_badge: payload.n, notification, ...payload });
  return text + ' '.repeat(Math.max(0, SIZE - Buffer.byteLength(text)));
}

export interface Announcement {
  id: string;
  /** The operator's text, for all subscribers. */
  text: string;
}

export function writeAnnouncement({ id, text }: Announcement, origin: string): string {
  const notification = { title: productName, body: text, tag: id, navigate: `${origin}/` };
  return JSON.stringify({ web_push: 8030, mutable: true, notification, v: 1, kind: 'announcement', id, text });
}

/** What the device calls the chat. */
export function tagOf(tagKey: string, chat: ChatId): string {
  return keyed(tagKey, `chat ${chat}`);
}

/** What the push service sees of it: enough to replace an older push about the same chat. */
export function topicOf(tagKey: string, chat: ChatId): string {
  return keyed(tagKey, `topic ${chat}`);
}

function keyed(tagKey: string, words: string): string {
  const key = Buffer.from(tagKey, 'base64url');
  return createHmac('sha256', key).update(words).digest('base64url').slice(0, TAG_LENGTH);
}

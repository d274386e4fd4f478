import type { ChatId } from '@dostar/protocol/ids';
import { fromBase64Url, toBase64Url } from '../net/base64.ts';

const TAG_LENGTH = 22;
const KEY_BYTES = 32;

/** Made with each subscription, and sent to the server with it. */
export function newTagKey(): string {
  return toBase64Url(crypto.getRandomValues(new Uint8Array(KEY_BYTES)));
}

/** The tag of a chat in pushes to this device (SPEC N3). */
export async function tagOfChat(tagKey: string, chat: ChatId): Promise<string> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', fromBase64Url(tagKey), algorithm, false, ['sign']);
  const hash = await crypto.subtle.sign('HMAC', key, new TextEncoder().encode(`chat ${chat}`));
  return toBase64Url(new Uint8Array(hash)).slice(0, TAG_LENGTH);
}

/**
 * A browser that erases a message on all devices of its account adds an HMAC, so that the server, which delivers the
 * erasure, can't forge one. All browsers of the account have the key; the server does not.
 */
import type { AccountId, ChatId, MessageId } from '@dostar/protocol/ids';
import { deriveKey, HMAC } from '../crypto/derive-key.ts';
import { fromBase64Url, toBase64Url } from '../net/base64.ts';

export interface ErasedMessage {
  chat: ChatId;
  sender: AccountId;
  id: MessageId;
}

export interface ErasureProofs {
  make(message: ErasedMessage): Promise<string>;
  isGenuine(message: ErasedMessage, proof: string): Promise<boolean>;
}

/** `seed`: the private user-signing key, which every browser of the account has and which outlives the password. */
export async function openErasureProofs(seed: Uint8Array<ArrayBuffer>): Promise<ErasureProofs> {
  const key = await deriveKey(seed, 'dostar erasure 1', HMAC, ['sign', 'verify']);
  return {
    make: async (message) => toBase64Url(new Uint8Array(await crypto.subtle.sign('HMAC', key, bytesOf(message)))),
    isGenuine: (message, proof) => crypto.subtle.verify('HMAC', key, fromBase64Url(proof), bytesOf(message)),
  };
}

function bytesOf({ chat, sender, id }: ErasedMessage): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(`${chat}|${sender}|${id}`);
}

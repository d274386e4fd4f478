/** The file that stores a device key, and the key in it. */
import { toBase64Url } from '../net/base64.ts';

export const KEY_BYTES = 32;
const ID_LENGTH = 22;
/** Folders: the device key; the file that is about to replace it; the count of locks. */
export const FOLDERS = { key: 'device-key/', next: 'next-device-key/', count: 'lock-count/' };

type Bytes = Uint8Array<ArrayBuffer>;

export interface DeviceKey {
  key: CryptoKey;
  id: string;
}

export function makeRawKey(): Bytes {
  return crypto.getRandomValues(new Uint8Array(KEY_BYTES));
}

export async function readRawKey(bytes: Bytes): Promise<DeviceKey> {
  const key = await crypto.subtle.importKey('raw', bytes, 'AES-GCM', false, ['encrypt', 'decrypt']);
  const hash = await crypto.subtle.digest('SHA-256', bytes);
  return { key, id: toBase64Url(new Uint8Array(hash)).slice(0, ID_LENGTH) };
}

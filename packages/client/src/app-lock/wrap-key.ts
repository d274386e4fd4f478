/**
 * Wraps the device key under a key derived from a PIN, a passphrase or a passkey. Scripts never see the key's bytes.
 */
import type { AccountId } from '@dostar/protocol/ids';
import { fromBase64Url, toBase64Url } from '../net/base64.ts';
import type { LockHeader, LockMethod, LockRecord } from './lock-record.ts';

type Bytes = Uint8Array<ArrayBuffer>;

const SALT_BYTES = 16;
const NONCE_BYTES = 12;
const ENCODER = new TextEncoder();
const DEVICE_KEY = { name: 'AES-GCM', length: 256 };

export interface Argon2Cost {
  memoryKib: number;
  passes: number;
}

/**
 * About half a second in a browser (`./dev prove app-lock` measures it). Each record has its own cost, so it may be
 * raised.
 */
export const ARGON2_COST: Argon2Cost = { memoryKib: 65_536, passes: 4 };

/** Argon2id. In a browser it runs in a worker. */
export type Stretch = (secret: string, salt: Bytes, cost: Argon2Cost) => Promise<Bytes>;

export type LockSecret =
  | { method: 'pin' | 'passphrase'; text: string }
  /** The secret that the passkey derived (PRF). */
  | { method: 'passkey'; derived: Bytes; passkey: NonNullable<LockHeader['passkey']> };

interface Wrapped {
  record: LockRecord;
  key: CryptoKey;
}

/** A new device key, wrapped under the secret. */
export async function makeWrappedKey(
  account: AccountId,
  secret: LockSecret,
  lockAfterMinutes: number,
  stretch: Stretch,
): Promise<Wrapped> {
  const header: LockHeader = {
    method: secret.method,
    keyId: toBase64Url(random(SALT_BYTES)),
    salt: toBase64Url(random(SALT_BYTES)),
    ...(secret.method === 'passkey' ? { passkey: secret.passkey } : { cost: ARGON2_COST }),
    lockAfterMinutes,
  };
  const iv = random(NONCE_BYTES);
  const wrapping = await deriveWrappingKey(secret, header, stretch);
  const fresh = await crypto.subtle.generateKey(DEVICE_KEY, true, ['encrypt', 'decrypt']);
  const additionalData = contextOf(account, header);
  const wrapped = await crypto.subtle.wrapKey('raw', fresh, wrapping, { name: 'AES-GCM', iv, additionalData });
  const record = { header, iv: toBase64Url(iv), wrapped: toBase64Url(new Uint8Array(wrapped)) };
  return { record, key: await unwrap(account, record, wrapping) };
}

/** Undefined if the secret is wrong, or the record was changed or belongs to another account. */
export async function unwrapDeviceKey(
  account: AccountId,
  record: LockRecord,
  secret: LockSecret,
  stretch: Stretch,
): Promise<CryptoKey | undefined> {
  if (secret.method !== record.header.method) return undefined;
  const wrapping = await deriveWrappingKey(secret, record.header, stretch);
  return unwrap(account, record, wrapping).catch(() => undefined);
}

function unwrap(account: AccountId, { header, iv, wrapped }: LockRecord, wrapping: CryptoKey): Promise<CryptoKey> {
  const algorithm = { name: 'AES-GCM', iv: fromBase64Url(iv), additionalData: contextOf(account, header) };
  const usages: KeyUsage[] = ['encrypt', 'decrypt'];
  return crypto.subtle.unwrapKey('raw', fromBase64Url(wrapped), wrapping, algorithm, DEVICE_KEY, false, usages);
}

/** Binds every field of the record to the wrap: with a changed cost, delay or account the key does not unwrap. */
function contextOf(account: AccountId, header: LockHeader): Bytes {
  return ENCODER.encode(`dostar app-lock 1 ${account} ${JSON.stringify(header)}`);
}

async function deriveWrappingKey(secret: LockSecret, header: LockHeader, stretch: Stretch): Promise<CryptoKey> {
  const salt = fromBase64Url(header.salt);
  const bytes =
    secret.method === 'passkey' ? secret.derived : await stretch(normalise(secret), salt, header.cost ?? ARGON2_COST);
  const base = await crypto.subtle.importKey('raw', bytes, 'HKDF', false, ['deriveKey']);
  const hkdf = { name: 'HKDF', hash: 'SHA-256', salt, info: infoOf(secret.method) };
  return crypto.subtle.deriveKey(hkdf, base, DEVICE_KEY, false, ['wrapKey', 'unwrapKey']);
}

/** The same passkey also unwraps the account key (account/account-key.ts), under another `info`. */
function infoOf(method: LockMethod): Bytes {
  return ENCODER.encode(`dostar app-lock 1 ${method}`);
}

/** Keyboards may encode the same character differently. */
function normalise({ text }: { text: string }): string {
  return text.normalize('NFKC');
}

function random(size: number): Bytes {
  return crypto.getRandomValues(new Uint8Array(size));
}

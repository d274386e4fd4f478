/** The device key's file while a lock is set: how the key is wrapped, and when the app locks by itself (SPEC L1). */
import { z } from 'zod';

const MAGIC = 'dostar app-lock ';
const VERSION = '1\n';

const Bytes = z.base64url().max(1000);

const LockHeader = z.object({
  method: z.enum(['pin', 'passphrase', 'passkey']),
  /** The id of the wrapped device key; each row of the key store has the id of the key that encrypts it. */
  keyId: z.string().max(64),
  salt: Bytes,
  /** Argon2id; missing for a passkey, which derives a random key. */
  cost: z.object({ memoryKib: z.int().positive().max(1_048_576), passes: z.int().positive().max(64) }).optional(),
  passkey: z.object({ credential: z.base64url().max(2000), rpId: z.string().max(253) }).optional(),
  /** 0: only when the browser is closed. */
  lockAfterMinutes: z.int().nonnegative().max(1440),
});
export type LockHeader = z.infer<typeof LockHeader>;

const LockRecord = z.object({ header: LockHeader, iv: Bytes, wrapped: Bytes });
export type LockRecord = z.infer<typeof LockRecord>;

export type LockMethod = LockHeader['method'];

export function encodeRecord(record: LockRecord): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(MAGIC + VERSION + JSON.stringify(record));
}

/**
 * Undefined for a file that is not a lock record. `unreadable` for a damaged record and for one of a later version: its
 * keys stay locked, and nothing may replace them.
 */
export function decodeRecord(bytes: Uint8Array): LockRecord | 'unreadable' | undefined {
  const text = new TextDecoder().decode(bytes);
  if (!text.startsWith(MAGIC)) return undefined;
  if (!text.startsWith(MAGIC + VERSION)) return 'unreadable';
  try {
    return LockRecord.safeParse(JSON.parse(text.slice(MAGIC.length + VERSION.length))).data ?? 'unreadable';
  } catch {
    return 'unreadable';
  }
}

/**
 * Proves that this account put an entry into the key backup.
 *
 * The backup's own encryption is to a public key, which the server knows: it could add a session of its own making, and
 * a new browser would show messages from it as a contact's. So each entry has a `mac2` under a key of the vault.
 */
import type { AccountId, ChatId } from '@dostar/protocol/ids';
import { fromBase64, toBase64 } from '../crypto/base64.ts';
import { deriveKey, HMAC } from '../crypto/derive-key.ts';

interface SessionData {
  ephemeral: string;
  ciphertext: string;
  mac: string;
}

export interface BackupMac {
  sign(entry: MacedEntry): Promise<string>;
  verify(entry: MacedEntry, mac2: string): Promise<boolean>;
}

interface MacedEntry {
  chat: ChatId;
  session: string;
  /** The account that owns the session: known when the key arrived, and trusted when the entry is restored. */
  owner?: AccountId | undefined;
  data: SessionData;
}

const ENCODER = new TextEncoder();

/** `seed` is stored in the vault. */
export async function createBackupMac(seed: Uint8Array<ArrayBuffer>): Promise<BackupMac> {
  const key = await deriveKey(seed, 'dostar backup mac2 1', HMAC, ['sign', 'verify']);
  return {
    sign: async (entry) => toBase64(new Uint8Array(await crypto.subtle.sign('HMAC', key, encodeEntry(entry)))),
    async verify(entry, mac2) {
      try {
        return await crypto.subtle.verify('HMAC', key, fromBase64(mac2), encodeEntry(entry));
      } catch {
        // The MAC is not base64, so its writer did not have the key.
        return false;
      }
    },
  };
}

/** A list instead of an object: it has only one encoding, and no field can run into the next. */
function encodeEntry({ chat, session, owner, data }: MacedEntry): Uint8Array<ArrayBuffer> {
  return ENCODER.encode(JSON.stringify([chat, session, owner ?? null, data.ephemeral, data.ciphertext, data.mac]));
}

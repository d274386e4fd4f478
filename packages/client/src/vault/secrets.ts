/**
 * The content of the vault of kind `secrets`: enough for a new browser to become a device of the account and read it
 * all.
 */
import { uploadSigningKeys } from '@dostar/protocol/contract/device-keys';
import { z } from 'zod';

const Key = z.string().regex(/^[\w+/]{43}$/);

/** Loose: fields of a newer client stay when this version writes. */
export const Secrets = z.looseObject({
  v: z.literal(1),
  /** The engine's own bundle: the seeds of the identity, and the backup's key and version. */
  bundle: z.looseObject({
    cross_signing: z.looseObject({ master_key: Key, self_signing_key: Key, user_signing_key: Key }),
    backup: z.looseObject({ key: Key, backup_version: z.string().min(1) }),
  }),
  /** The published public keys of the identity: only the browser that made them could sign them. */
  identity: uploadSigningKeys.body.required(),
  /** The seed of the key that authenticates backup entries. */
  backupMac: Key,
  /** Opens the dehydrated device on the server. */
  dehydrated: Key,
  /** An attacker may have read this vault: backup and dehydrated device should get new keys. */
  isLeaked: z.boolean().optional(),
  /** The former backup, whose key leaked. Any device deletes it once the one in use has all its keys. */
  former: z.looseObject({ version: z.string().min(1), key: Key, mac: Key }).optional(),
});
export type Secrets = z.infer<typeof Secrets>;

export function encodeSecrets(secrets: Secrets): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(JSON.stringify(secrets));
}

/** Undefined for a version that this app is too old for. */
export function decodeSecrets(plain: Uint8Array): Secrets | undefined {
  return Secrets.safeParse(JSON.parse(new TextDecoder().decode(plain))).data;
}

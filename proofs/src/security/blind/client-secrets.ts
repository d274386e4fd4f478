/** Every secret of a client, for the search. */
import type { Owner, SealedBrowser } from '@dostar/client/testing/owners';
import { type BackupRooms, getBackupKeys } from '@dostar/protocol/contract/key-backup';
import type { ChatId } from '@dostar/protocol/ids';
import { loadEngine } from '../../../../packages/client/src/crypto/engine/engine.ts';
import type { Browser } from '@dostar/client/testing/http-browser';
import { readVaultSecrets } from '../../harness/accounts/vault-secrets.ts';
import type { PlantedSecrets } from '../secrets/planted-secrets.ts';

/** Limits the planted room keys: each one is searched for in all evidence. */
const SESSIONS = 40;

export async function plantClientSecrets(
  plantedSecrets: PlantedSecrets,
  owner: Owner,
  browser: Browser,
): Promise<void> {
  const { bundle, backupMac, dehydrated } = await readVaultSecrets(owner, browser);
  const { master_key: master, self_signing_key: selfSigning, user_signing_key: userSigning } = bundle.cross_signing;
  const keys = { master, selfSigning, userSigning, backup: bundle.backup.key, backupMac, dehydrated };
  for (const [name, key] of Object.entries(keys)) plantedSecrets.plant(`vault: ${name}`, Buffer.from(key, 'base64'));
  plantedSecrets.plant('account key', owner.accountKey);
  const { rooms } = await browser.call(getBackupKeys, { version: bundle.backup.backup_version });
  for (const key of (await openBackup(rooms, bundle.backup.key)).slice(0, SESSIONS))
    plantedSecrets.plant('room key', key);
}

/** The ratchets in a backup: each decrypts every message of its session from its position on. */
async function openBackup(rooms: BackupRooms, backupKey: string): Promise<Uint8Array[]> {
  const library = await loadEngine();
  const key = library.BackupDecryptionKey.fromBase64(backupKey);
  return Object.values(rooms).flatMap(({ sessions }) =>
    Object.values(sessions).map(({ session_data: data }) => {
      const { ephemeral, mac, ciphertext } = data as Record<'ephemeral' | 'mac' | 'ciphertext', string>;
      const { session_key: exported } = JSON.parse(key.decryptV1(ephemeral, mac, ciphertext)) as {
        session_key: string;
      };
      // A version byte and the index precede the ratchet.
      return Buffer.from(exported, 'base64').subarray(5, 5 + 128);
    }),
  );
}

/** The keys of the files in a chat. */
export async function plantFileKeys(
  plantedSecrets: PlantedSecrets,
  { client }: SealedBrowser,
  chat: ChatId,
): Promise<number> {
  let files = 0;
  for (const { shows } of await client.listHistory({ chat, limit: 10_000 })) {
    if (shows.state !== 'content' || shows.content.kind !== 'media') continue;
    plantedSecrets.plant('file key', Buffer.from(shows.content.media.key, 'base64url'));
    files += 1;
  }
  return files;
}

/**
 * A long history, as the account's other devices would have left it on the server: messages in the mailbox, and their
 * keys in the account's backup. The engine really seals and backs up everything; only typing and sending are skipped.
 */
import { randomUUID } from 'node:crypto';
import type { Owner } from '@dostar/client/testing/owners';
import { encodeContent } from '@dostar/protocol/content/codec';
import { type BackupRooms, putBackupKeys } from '@dostar/protocol/contract/key-backup';
import { type AccountId, type ChatId, directChat } from '@dostar/protocol/ids';
import { roomOf, userOf } from '@dostar/protocol/matrix-ids';
import type { Context } from '../../../../apps/server/src/context.ts';
import { deliver } from '../../../../apps/server/src/features/messaging/mailbox/deliver.ts';
import { newMessageId } from '../../../../apps/server/test/test-cluster.ts';
import { fromBase64 } from '../../../../packages/client/src/crypto/base64.ts';
import { loadEngine } from '../../../../packages/client/src/crypto/engine/engine.ts';
import { type BackupMac, createBackupMac } from '../../../../packages/client/src/vault/backup-mac.ts';
import type { Secrets } from '../../../../packages/client/src/vault/secrets.ts';
import { sealIn } from '../../security/e2ee/stolen-session.ts';
import type { Browser } from '@dostar/client/testing/http-browser';
import { readVaultSecrets } from '../../harness/accounts/vault-secrets.ts';

export interface History {
  chats: number;
  messagesPerChat: number;
  sessionsPerChat: number;
}

export interface Seeded {
  chats: ChatId[];
  /** A word in the oldest message of each chat that occurs nowhere else. */
  rareWords: string[];
  sessions: number;
}

interface Seeding {
  ctx: Context;
  owner: Owner;
  browser: Browser;
  friends: AccountId[];
}

export async function seedHistory(seeding: Seeding, plan: History): Promise<Seeded> {
  const { owner, browser, friends } = seeding;
  const secrets = await readVaultSecrets(owner, browser);
  const mac = await createBackupMac(fromBase64(secrets.backupMac));
  const rareWords: string[] = [];
  let sessions = 0;
  for (const friend of friends) {
    const rare = `сирек${randomUUID().slice(0, 8)}`;
    rareWords.push(rare);
    sessions += await seedChat(seeding, friend, plan, { secrets, mac, rare });
  }
  return { chats: friends.map((friend) => directChat(owner.person.account, friend)), rareWords, sessions };
}

/** Both users write in turn; the session changes every few messages. */
async function seedChat(
  { ctx, owner, browser }: Seeding,
  friend: AccountId,
  { messagesPerChat, sessionsPerChat }: History,
  { secrets, mac, rare }: { secrets: Secrets; mac: BackupMac; rare: string },
): Promise<number> {
  const own = owner.person.account;
  const chat = directChat(own, friend);
  const writers = await Promise.all([own, friend].map((account) => openWriter(account, chat, secrets)));
  const perSession = messagesPerChat / sessionsPerChat;
  let sessions = 0;
  for (let index = 0; index < messagesPerChat; index += 1) {
    const session = Math.floor(index / perSession);
    const writer = writers[session % 2]!;
    if (session === sessions) {
      await writer.rotate();
      sessions += 1;
    }
    const text = index === 0 ? `the first word is ${rare}` : `message ${index} of ${messagesPerChat}, words of a day`;
    const { account } = writer;
    const [id, to] = [newMessageId(), account === own ? friend : own];
    const content = encodeContent({ id, chat, sender: account }, { content: { kind: 'text', text } });
    const body = Buffer.from(await writer.seal(content!), 'base64url');
    await deliver(ctx, { from: account, to, id, body, rings: true });
  }
  for (const writer of writers) {
    for (const rooms of await writer.backUp(mac)) {
      await browser.call(putBackupKeys, { version: secrets.bundle.backup.backup_version, rooms });
    }
    writer.close();
  }
  return sessions;
}

async function openWriter(account: AccountId, chat: ChatId, { bundle: { backup } }: Secrets) {
  const library = await loadEngine();
  const machine = await library.OlmMachine.initialize(
    new library.UserId(userOf(account)),
    new library.DeviceId(randomUUID()),
  );
  const room = new library.RoomId(roomOf(chat));
  const key = library.BackupDecryptionKey.fromBase64(backup.key);
  return {
    account,
    async rotate() {
      await machine.invalidateGroupSession(room);
      await machine.shareRoomKey(room, [], new library.EncryptionSettings());
    },
    seal: (content: Uint8Array) => sealIn(machine, room, content),
    async backUp(mac: BackupMac): Promise<BackupRooms[]> {
      await machine.enableBackupV1(key.megolmV1PublicKey.publicKeyBase64, backup.backup_version);
      const all: BackupRooms[] = [];
      for (let request = await machine.backupRoomKeys(); request; request = await machine.backupRoomKeys()) {
        const { rooms } = JSON.parse(request.body) as { rooms: BackupRooms };
        for (const { sessions } of Object.values(rooms)) {
          for (const [session, entry] of Object.entries(sessions)) {
            const data = entry.session_data as never;
            Object.assign(entry, { owner: account, mac2: await mac.sign({ chat, session, owner: account, data }) });
          }
        }
        all.push(rooms);
        await machine.markRequestAsSent(request.id, request.type, '{"etag":"1","count":1}');
      }
      return all;
    },
    close: () => machine.close(),
  };
}

/** Key backup: who may write to it, which backup counts, and that a new browser finds its keys. */
import { randomUUID } from 'node:crypto';
import { loadEngine } from '../../../../packages/client/src/crypto/engine/engine.ts';
import { newMessageId } from '../../../../apps/server/test/test-cluster.ts';
import type { Owner } from '@dostar/client/testing/owners';
import { encodeContent } from '@dostar/protocol/content/codec';
import { type BackupRooms, createBackup, getBackup, putBackupKeys } from '@dostar/protocol/contract/key-backup';
import { sendMessage } from '@dostar/protocol/contract/messages';
import type { ChatId } from '@dostar/protocol/ids';
import { roomOf, userOf } from '@dostar/protocol/matrix-ids';
import { sql } from 'kysely';
import { sealIn } from './stolen-session.ts';
import { hasEvent, show, type CheckRun } from '../../harness/checks/check-run.ts';

export async function checkHistory(checkRun: CheckRun): Promise<void> {
  const { alice, bob, chat } = await checkRun.addFriends();
  const [phone, laptop] = [await checkRun.signIn(alice), await checkRun.signIn(bob)];
  await phone.client.sendText({ to: bob.person.account, text: 'one' });
  await checkRun.readFirst(chat, ['one'], phone, laptop);
  await laptop.client.sendText({ to: alice.person.account, text: 'two' });
  await checkRun.readFirst(chat, ['one', 'two'], phone, laptop);
  await checkRun.becomes('both sessions are backed up', async () => (await countBackedUp(checkRun, alice)) === 2);
  await phone.client[Symbol.asyncDispose]();
  await checkRun.read(chat, ['one', 'two'], await checkRun.signIn(alice));
}

export async function checkForeignBackup(checkRun: CheckRun): Promise<void> {
  const { alice, bob, chat } = await checkRun.addFriends();
  const [phone, laptop] = [await checkRun.signIn(alice), await checkRun.signIn(bob)];
  const foreign = { algorithm: 'm.megolm_backup.v1.curve25519-aes-sha2', auth_data: { public_key: 'a'.repeat(43) } };
  await checkRun.cluster.call(createBackup, alice.person, foreign);
  await laptop.client.sendText({ to: alice.person.account, text: 'kept' });
  await checkRun.readFirst(chat, ['kept'], phone);
  await checkRun.becomes(
    'it is in the backup that the vault names',
    async () => (await countBackedUp(checkRun, alice)) === 1,
  );
  await phone.client[Symbol.asyncDispose]();
  await checkRun.read(chat, ['kept'], await checkRun.signIn(alice));
}

/** The server seals a forged session to the backup's public key and sends a message encrypted with that session. */
export async function checkForgedBackup(checkRun: CheckRun): Promise<void> {
  const { alice, bob, chat } = await checkRun.addFriends();
  const phone = await checkRun.signIn(alice);
  const laptop = await checkRun.signIn(bob);
  await phone.client.sendText({ to: bob.person.account, text: 'mine' });
  await checkRun.readFirst(chat, ['mine'], laptop);
  await checkRun.ready('it is backed up', async () => (await countBackedUp(checkRun, bob)) === 1);
  await laptop.client[Symbol.asyncDispose]();
  await forge(checkRun, alice, bob, chat);
  const desktop = await checkRun.signIn(bob);
  await checkRun.ready('every message has arrived', async () => {
    const shown = await show(desktop, chat);
    return shown.length === 2 && shown[0]?.shows.state === 'content';
  });
  const { keys } = desktop.client;
  await checkRun.ready('the backup was asked', async () => (await keys.counts()).forged > 0 || (await isShown(2)));
  checkRun.holds('a forged entry opens nothing', !(await isShown(2)));

  async function isShown(cluster: number): Promise<boolean> {
    return (await show(desktop, chat))[cluster - 1]?.shows.state === 'content';
  }
}

async function forge(checkRun: CheckRun, alice: Owner, bob: Owner, chat: ChatId): Promise<void> {
  const { cluster } = checkRun;
  const library = await loadEngine();
  const user = () => new library.UserId(userOf(alice.person.account));
  const machine = await library.OlmMachine.initialize(user(), new library.DeviceId(randomUUID()));
  const room = new library.RoomId(roomOf(chat));
  const requests = await machine.shareRoomKey(room, [user()], new library.EncryptionSettings());
  for (const { id, type } of requests) await machine.markRequestAsSent(id, type, '{}');
  const id = newMessageId();
  const text = { kind: 'text' as const, text: 'not mine' };
  const content = encodeContent({ id, chat, sender: alice.person.account }, { content: text });
  const body = await sealIn(machine, room, content!);
  const { body: backup } = await cluster.call(getBackup, bob.person, {});
  await machine.enableBackupV1(backup.auth_data.public_key as string, backup.version as string);
  const request = await machine.backupRoomKeys();
  const { rooms } = JSON.parse(request?.body ?? '{}') as { rooms: BackupRooms };
  // Names Alice as the owner of the session, as genuine entries name their owner.
  for (const { sessions } of Object.values(rooms)) {
    for (const entry of Object.values(sessions)) Object.assign(entry, { owner: alice.person.account });
  }
  await cluster.call(putBackupKeys, bob.person, { version: backup.version, rooms });
  await cluster.call(sendMessage, alice.person, { id, to: bob.person.account, body });
}

/** The server returns an old vault. */
export async function checkRolledBack(checkRun: CheckRun): Promise<void> {
  const { alice } = await checkRun.addFriends();
  const phone = await checkRun.signIn(alice);
  const { account } = alice.person;
  const readRow = sql<{ rev: number; blob: Buffer }>`select rev, blob from vault where owner = ${account}`;
  const { rows } = await checkRun.touch(account, (db) => readRow.execute(db));
  await phone.client.keys.startFresh();
  await phone.client[Symbol.asyncDispose]();
  const [old] = rows;
  await checkRun.touch(account, (db) =>
    sql`update vault set rev = ${old!.rev}, blob = ${old!.blob} where owner = ${account}`.execute(db),
  );
  const again = checkRun.start(phone);
  await checkRun.ready('it has looked', () => hasEvent(again, 'device locked', 'device unlocked'));
  checkRun.holds('an older vault than seen is not opened', hasEvent(again, 'vault rolled back'), again.events);
}

/** Number of sessions in the newest backup that was not deleted. */
export async function countBackedUp({ environment }: CheckRun, { person: { account } }: Owner): Promise<number> {
  const { rows } = await environment.ctx.shards.of(account).query((db) =>
    sql<{ count: number }>`
      select count from backup_version where owner = ${account} and not deleted order by version desc limit 1`.execute(
      db,
    ),
  );
  return rows[0]?.count ?? 0;
}

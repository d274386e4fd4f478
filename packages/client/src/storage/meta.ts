import { AccountId, type ChatId, MessageId } from '@dostar/protocol/ids';
import type { Cursor } from '@dostar/protocol/mailbox';
import { z } from 'zod';
import type { Db } from './open.ts';
import { ConnectionState, type MessageKey, SyncState } from './rows.ts';

const INITIAL_SYNC_STATE: SyncState = { epoch: 0, seq: 0, rev: 0, reading: 0, isSettled: false, isCaughtUp: false };

/** An unreadable state counts as none: the mailbox is read again, which costs time and loses nothing. */
export async function readSyncState(db: Db): Promise<SyncState> {
  const row = await db.meta.get('standing');
  return SyncState.safeParse(row?.value).data ?? INITIAL_SYNC_STATE;
}

/** Call it in the transaction that stores what the cursor covers (SPEC C2). */
export async function writeSyncState(db: Db, syncState: SyncState): Promise<void> {
  await db.meta.put({ key: 'standing', value: syncState });
}

export function cursorOf({ epoch, seq, rev }: SyncState): Cursor | null {
  return seq === 0 && rev === 0 ? null : { epoch, seq, rev };
}

export interface ConnectionStatus {
  state: ConnectionState;
  isCaughtUp: boolean;
}

/** In the database, so that tabs that do not lead know it too. */
export async function readConnection(db: Db): Promise<ConnectionStatus> {
  const row = await db.meta.get('connection');
  const { isCaughtUp } = await readSyncState(db);
  return { state: ConnectionState.safeParse(row?.value).data ?? 'connecting', isCaughtUp };
}

/** Deletes typing indicators when the connection is lost: no event would end them. */
export async function writeConnection(db: Db, state: ConnectionState): Promise<void> {
  await db.transaction('rw', db.meta, db.signals, async () => {
    await db.meta.put({ key: 'connection', value: state });
    if (state !== 'online') await db.signals.where('key').startsWith('typing/').delete();
  });
}

/** The leading tab reacts to the change. */
export async function writeNudge(db: Db, value: string): Promise<void> {
  await db.meta.put({ key: 'nudge', value });
}

export async function readNudge(db: Db): Promise<unknown> {
  return (await db.meta.get('nudge'))?.value;
}

/** Versions without a device key stored the local key here, as a key that can't be exported. */
export async function readFormerLocalKey(db: Db): Promise<CryptoKey | undefined> {
  const value = (await db.meta.get('localKey'))?.value;
  return value instanceof CryptoKey ? value : undefined;
}

/** The visible chat, in any tab: it is decrypted before the others. */
export async function readVisibleChat(db: Db): Promise<unknown> {
  return (await db.meta.get('wanted'))?.value;
}

export async function writeVisibleChat(db: Db, chat: ChatId): Promise<void> {
  await db.meta.put({ key: 'wanted', value: chat });
}

/** The chat whose newest page any tab is fetching. */
export async function readLoadingChat(db: Db): Promise<unknown> {
  return (await db.meta.get('loading'))?.value;
}

export async function writeLoadingChat(db: Db, chat: ChatId | undefined): Promise<void> {
  await (chat === undefined ? db.meta.delete('loading') : db.meta.put({ key: 'loading', value: chat }));
}

/**
 * Messages that must be indexed again because a row with part of their text was deleted, so that no row has the `todo`
 * mark. Oldest first.
 */
export async function readPendingReindex(db: Db): Promise<MessageKey[]> {
  const value = (await db.meta.get('withdrawn'))?.value;
  return Array.isArray(value) ? (value as MessageKey[]) : [];
}

/** Call it in the transaction that deletes the row, or stores the index. */
export async function writePendingReindex(db: Db, keys: MessageKey[]): Promise<void> {
  await (keys.length === 0 ? db.meta.delete('withdrawn') : db.meta.put({ key: 'withdrawn', value: keys }));
}

const PendingDeletion = z.object({
  id: MessageId,
  /** The other account, whose copy is deleted too. */
  everywhere: AccountId.optional(),
});
export type PendingDeletion = z.infer<typeof PendingDeletion>;

/** The limit of the list: a message that the server never stored would stay in it forever. */
const MAX_PENDING_DELETIONS = 200;

/** Own messages that were deleted before the server answered, oldest first. */
export async function readPendingDeletions(db: Db): Promise<PendingDeletion[]> {
  return z.array(PendingDeletion).safeParse((await db.meta.get('unwanted'))?.value).data ?? [];
}

/** Call it in a transaction over `meta`. */
export async function writePendingDeletions(db: Db, pendingDeletions: PendingDeletion[]): Promise<void> {
  await db.meta.put({ key: 'unwanted', value: pendingDeletions.slice(-MAX_PENDING_DELETIONS) });
}

/** Identifies this device's changes of account data; made once. Call it in a transaction over `meta`. */
export async function readDeviceTag(db: Db, random: (size: number) => Uint8Array): Promise<string> {
  const kept = (await db.meta.get('deviceTag'))?.value;
  if (typeof kept === 'string') return kept;
  const tag = Array.from(random(8), (byte) => byte.toString(16).padStart(2, '0')).join('');
  await db.meta.put({ key: 'deviceTag', value: tag });
  return tag;
}

/** The name of the account key that account data was last uploaded under. */
export async function readDataKey(db: Db): Promise<unknown> {
  return (await db.meta.get('dataKey'))?.value;
}

export async function writeDataKey(db: Db, name: string): Promise<void> {
  await db.meta.put({ key: 'dataKey', value: name });
}

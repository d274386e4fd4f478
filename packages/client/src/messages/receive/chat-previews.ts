/**
 * Loads the newest message of each chat before the log: a new browser reads years of messages from the beginning, and
 * its chat list should not wait for the end.
 */
import { type ContactUser, getContacts } from '@dostar/protocol/contract/contacts';
import { AppError } from '@dostar/protocol/errors';
import type { Entry } from '@dostar/protocol/mailbox';
import type { KeyActions } from '../../crypto/key-ring.ts';
import { cursorOf, readSyncState } from '../../storage/meta.ts';
import type { Db } from '../../storage/open.ts';
import type { ClientDeps } from '../../deps.ts';
import { callEndpoint } from '../../net/http.ts';
import { storeEntries } from './receive.ts';
import { messageTables, refreshChats, rowsWithTodo, type TouchedChats } from '../store.ts';

type ChatPreviewDeps = Pick<ClientDeps, 'account' | 'baseUrl' | 'fetch' | 'clock'>;

/** Longer than a list takes to decrypt; shorter than the time that the server waits for a connected device. */
const MAX_WAIT_MS = 3_000;
const POLL_INTERVAL_MS = 25;

/**
 * Returns whether any were loaded. Does nothing after the first reading of the mailbox, because the list is stored
 * then. If the call fails, the mailbox brings the list.
 */
export async function loadChatPreviews(db: Db, deps: ChatPreviewDeps, signal: AbortSignal): Promise<boolean> {
  const isNew = cursorOf(await readSyncState(db)) === null && (await db.chats.count()) === 0;
  if (!isNew) return false;
  try {
    const { users } = await callEndpoint(deps, getContacts, undefined, signal);
    const entries = users.flatMap(toEntry);
    const peers: TouchedChats = new Map();
    for (const { id, lastMessage } of users) if (lastMessage !== null) peers.set(lastMessage.chatId, id);
    await db.transaction('rw', messageTables(db), async () => {
      const { reading } = await readSyncState(db);
      await storeEntries(db, deps.account, entries, reading);
      // This account's own messages do not name the other account.
      await refreshChats(db, deps.account, peers);
    });
    return entries.length > 0;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return false;
  }
}

/** Delays the reading of a long mailbox until the chat list is decrypted, unless its keys come with the mailbox. */
export async function waitForChatList(
  db: Db,
  deps: ChatListDeps,
  loading: Promise<boolean>,
  signal: AbortSignal,
): Promise<void> {
  const late = new AbortController();
  const over = AbortSignal.any([signal, late.signal]);
  const waited = deps.clock.sleep(MAX_WAIT_MS, over);
  await Promise.race([loading.then((isLoaded) => (isLoaded ? waitForDecryption(db, deps, over) : undefined)), waited]);
  late.abort();
}

interface ChatListDeps extends Pick<ClientDeps, 'clock'> {
  keyRing: Pick<KeyActions, 'counts'>;
}

async function waitForDecryption(db: Db, { clock, keyRing }: ChatListDeps, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const isTried = (await rowsWithTodo(db, 'open').count()) === 0;
    if (isTried && ((await rowsWithTodo(db, 'wait').count()) === 0 || !(await keyRing.counts()).isSeeking)) return;
    await clock.sleep(POLL_INTERVAL_MS, signal);
  }
}

/** Empty for an erased message and for an erasure, which have nothing to show. */
function toEntry({ lastMessage }: ContactUser): Entry[] {
  if (lastMessage?.body === undefined) return [];
  const { $id: id, chatId: chat, senderId: sender, timestamp, seq, body } = lastMessage;
  return [{ kind: 'mail', seq, sender, id, chat, at: Date.parse(timestamp), body }];
}

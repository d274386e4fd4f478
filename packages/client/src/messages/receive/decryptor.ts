/**
 * Decrypts received messages in batches, in the leading tab: first the newest message of each listed chat, then the chat
 * on the screen, then all others, newest first.
 *
 * Promise: every message is decrypted, waits with its reason, or is refused (SPEC E1, E2). The results of a batch are
 * stored in one transaction, so a crash leaves no message in between.
 *
 * Order matters: the rows may change while their batch is being decrypted. So each row is read again in that
 * transaction, and only the fields that decryption sets are written.
 */
import type { ChatId } from '@dostar/protocol/ids';
import { liveQuery } from 'dexie';
import type { AtRest } from '../../storage/at-rest.ts';
import type { Wakeup } from '../../lib/wakeup.ts';
import type { ArrivedKeys, Sealer } from '../../crypto/sealing/sealer.ts';
import { readVisibleChat } from '../../storage/meta.ts';
import type { Db } from '../../storage/open.ts';
import { withQuotaRetry } from '../../storage/quota.ts';
import type { MessageRow } from '../../storage/rows.ts';
import type { ClientDeps } from '../../deps.ts';
import { rowsWithTodo, timelineOf } from '../store.ts';
import { storeDecrypted } from './store-decrypted.ts';
import { decryptRow, redecodeRow } from './decrypt-row.ts';

/** Small enough to keep the tab responsive, large enough to save transactions. */
const BATCH = 32;
/** More lines than a chat list shows at once. */
const LISTED_CHATS = 100;
/** Retry after a failure of the engine or the disk; a failure of one message does not reach this. */
const RETRY_DELAY_MS = 2_000;

export interface DecryptorDeps extends Pick<ClientDeps, 'account' | 'clock' | 'random' | 'log' | 'freeMedia'> {
  atRest: AtRest;
  keyRing: Sealer;
}

/** `wakeup` is triggered when messages may have arrived. */
export async function runDecryptor(db: Db, deps: DecryptorDeps, wakeup: Wakeup, signal: AbortSignal): Promise<void> {
  const sealer = deps.keyRing;
  await decodeUnknownKinds(db, deps);
  let arrivals: ArrivedKeys[] = [];
  let shown: unknown;
  // Keys may have arrived before this subscription.
  let isAllTried = false;
  const stopKeys = sealer.onKeys((arrived) => {
    arrivals.push(arrived);
    void retry(arrived).catch(failed);
  });
  const pendingWork = liveQuery(async () => [
    await rowsWithTodo(db, 'open').last(),
    await readVisibleChat(db),
  ]).subscribe(wakeup.trigger);
  while (!signal.aborted) {
    const seen = wakeup.generation();
    try {
      if (!isAllTried) await retry('all');
      isAllTried = true;
      arrivals = [];
      const chat = await readVisibleChat(db);
      const isOther = chat !== shown;
      shown = chat;
      const batch = isOther ? await chooseWaiting(db, chat) : await chooseBatch(db);
      if (batch.rows.length === 0) {
        if (!isOther) await wakeup.wait(seen);
        continue;
      }
      await decryptBatch(db, deps, sealer, batch);
      // A key that arrived after its message was tried, and before the result was stored, has found no waiting message.
      for (const arrived of arrivals) await retry(arrived);
    } catch (error) {
      failed(error);
      await deps.clock.sleep(RETRY_DELAY_MS, signal);
    }
  }
  pendingWork.unsubscribe();
  stopKeys();

  async function retry(arrived: ArrivedKeys): Promise<void> {
    await withQuotaRetry(db, deps, () => retryWaiting(db, arrived));
  }

  function failed(error: unknown): void {
    if (!signal.aborted) deps.log('decryptor failed', { error });
  }
}

async function decryptBatch(db: Db, deps: DecryptorDeps, sealer: Sealer, batch: Batch): Promise<void> {
  const { atRest, account } = deps;
  const opening = { sealer, atRest, account, canWait: !batch.isShown };
  const rows = await Promise.all(batch.rows.map((row) => decryptRow(row, opening)));
  await withQuotaRetry(db, deps, () => storeDecrypted(db, deps, rows));
}

type SealedRow = MessageRow & { body: Uint8Array };

interface Batch {
  rows: SealedRow[];
  /** The messages are on the screen, or about to be. */
  isShown: boolean;
}

async function chooseBatch(db: Db): Promise<Batch> {
  return db.transaction('r', [db.messages, db.chats, db.meta], async () => {
    const chats = await db.chats.orderBy('pos').reverse().limit(LISTED_CHATS).toArray();
    const lines = selectUntried(await db.messages.bulkGet(chats.map(({ last }) => last)));
    if (lines.length > 0) return { rows: lines.slice(0, BATCH), isShown: true };
    const visible = selectUntried(await listShown(db, await readVisibleChat(db)));
    if (visible.length > 0) return { rows: visible.slice(0, BATCH), isShown: true };
    return { rows: selectUntried(await rowsWithTodo(db, 'open').reverse().limit(BATCH).toArray()), isShown: false };
  });
}

/** Messages without a key in a chat that was just opened: their keys have not been requested individually yet. */
async function chooseWaiting(db: Db, chat: unknown): Promise<Batch> {
  return { rows: (await listShown(db, chat)).filter(isSealed).filter(({ todo }) => todo === 'wait'), isShown: true };
}

/** The newest messages of the visible chat. */
async function listShown(db: Db, chat: unknown): Promise<MessageRow[]> {
  if (typeof chat !== 'string') return [];
  return timelineOf(db, chat as ChatId)
    .reverse()
    .limit(2 * BATCH)
    .toArray();
}

function selectUntried(rows: (MessageRow | undefined)[]): SealedRow[] {
  return rows.filter(isSealed).filter(({ todo }) => todo === 'open');
}

function isSealed(row: MessageRow | undefined): row is SealedRow {
  return row?.body !== undefined;
}

/** Queues the waiting messages of these sessions for decryption. */
async function retryWaiting(db: Db, arrived: ArrivedKeys): Promise<void> {
  const sessions = arrived === 'all' ? undefined : new Set(arrived.map(({ session }) => session));
  await rowsWithTodo(db, 'wait')
    .filter(({ waitsFor }) => sessions === undefined || waitsFor === undefined || sessions.has(waitsFor))
    .modify({ todo: 'open' });
}

/** Decodes messages of unknown kinds again: this version of the app may know them. */
async function decodeUnknownKinds(db: Db, deps: DecryptorDeps): Promise<void> {
  const { atRest, account, log } = deps;
  try {
    const rows = await rowsWithTodo(db, 'update').toArray();
    const known = await Promise.all(rows.map((row) => redecodeRow(row, atRest, account)));
    const decoded = known.filter((row) => row !== undefined);
    if (decoded.length > 0) await storeDecrypted(db, deps, decoded);
  } catch (error) {
    log('unknown kinds not looked at', { error });
  }
}

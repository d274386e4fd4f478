/** How far this account has read, and the effects: unread counts, and timers that start. */
import { contactKey } from '@dostar/protocol/contract/contacts';
import * as contract from '@dostar/protocol/contract/read-receipts';
import { AppError, ERRORS } from '@dostar/protocol/errors';
import { type AccountId, type ChatId, directChat } from '@dostar/protocol/ids';
import { readKey, type Register } from '@dostar/protocol/mailbox';
import { liveQuery } from 'dexie';
import type { Wakeup } from '../../lib/wakeup.ts';
import type { Db } from '../../storage/open.ts';
import { type ChatRow, FIRST_WAITING } from '../../storage/rows.ts';
import type { ClientDeps } from '../../deps.ts';
import { callEndpoint } from '../../net/http.ts';
import { messageTables, refreshChats, timelineOf } from '../store.ts';

const RETRY_MS = 10_000;

/** Marks the messages up to the server's number `seq` as read. The server is told when it is available. */
export async function markRead(
  db: Db,
  { account, clock }: Pick<ClientDeps, 'account' | 'clock'>,
  chat: ChatId,
  seq: number,
): Promise<void> {
  await db.transaction('rw', messageTables(db), async () => {
    // Takes the number of an existing message: the server's mark then equals it, and nothing stays unconfirmed.
    const last = await timelineOf(db, chat, { to: Math.min(seq + 1, FIRST_WAITING) }).last();
    if (last !== undefined) await advance(db, account, chat, last.pos, clock.now());
  });
}

/** Applies reads from other devices of this account. Call it in the transaction that stores the registers. */
export async function applyReadMarks(db: Db, account: AccountId, registers: Register[], now: number): Promise<void> {
  for (const { key, mark } of registers) {
    const chat = chatOfOwnMark(key, account);
    if (chat !== undefined && mark !== undefined) await advance(db, account, chat, mark, now);
  }
}

/** Updates the chat list after a contact's preferences changed: pinned, archived, muted. */
export async function applyContacts(db: Db, account: AccountId, registers: Register[]): Promise<void> {
  for (const { key } of registers) {
    const [, peer] = key.split('/');
    if (peer === undefined || key !== contactKey(peer as AccountId)) continue;
    const chat = directChat(account, peer as AccountId);
    if ((await db.chats.get(chat)) !== undefined) await refreshChats(db, account, new Map([[chat, peer as AccountId]]));
  }
}

/** Sends read receipts to the server, one per chat and mark; failed ones are retried (SPEC R8). */
export async function runReadReceipts(
  db: Db,
  deps: Pick<ClientDeps, 'account' | 'baseUrl' | 'fetch' | 'clock' | 'log'>,
  wakeup: Wakeup,
  signal: AbortSignal,
): Promise<void> {
  const sent = new Map<ChatId, number>();
  let unsent: ChatRow[] = [];
  const query = liveQuery(() => db.chats.where('owesRead').equals(1).toArray()).subscribe({
    next(rows) {
      unsent = rows;
      wakeup.trigger();
    },
    error: (error: unknown) => deps.log('read receipts not watched', { error }),
  });
  while (!signal.aborted) {
    const generation = wakeup.generation();
    const due = unsent.filter(({ chat, readUpTo = 0 }) => sent.get(chat) !== readUpTo);
    const failed = await sendAll(due);
    await wakeup.wait(generation, failed > 0 ? RETRY_MS : undefined);
  }
  query.unsubscribe();

  /** Returns how many calls failed. */
  async function sendAll(rows: ChatRow[]): Promise<number> {
    let failed = 0;
    for (const { chat, peer, readUpTo = 0 } of rows) {
      if (peer === undefined || signal.aborted) continue;
      try {
        await callEndpoint(deps, contract.markRead, { peer, upTo: readUpTo }, signal);
        sent.set(chat, readUpTo);
      } catch (error) {
        const code = error instanceof AppError ? error.code : 'internal';
        deps.log('read receipt not sent', { code });
        if (ERRORS[code].retry === 'never') sent.set(chat, readUpTo);
        else failed += 1;
      }
    }
    return failed;
  }
}

function chatOfOwnMark(key: string, account: AccountId): ChatId | undefined {
  const [, chat] = key.split('/');
  return chat !== undefined && key === readKey(chat as ChatId, account) ? (chat as ChatId) : undefined;
}

async function advance(db: Db, account: AccountId, chat: ChatId, upTo: number, now: number): Promise<void> {
  const row = await db.chats.get(chat);
  if (row === undefined) return;
  const from = row.readUpTo ?? 0;
  if (upTo > from) {
    await db.chats.put({ ...row, readUpTo: upTo });
    await timelineOf(db, chat, { from: from + 1, to: upTo + 1 })
      .filter(
        ({ sender, expiresIn, expiresAt }) => sender !== account && expiresIn !== undefined && expiresAt === undefined,
      )
      .modify((message) => {
        message.expiresAt = now + (message.expiresIn ?? 0) * 1000;
      });
  }
  await refreshChats(db, account, new Map([[chat, undefined]]));
}

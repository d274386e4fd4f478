/** Taking words away: from this account's devices, or from both sides. */
import type { Target } from '@dostar/protocol/content/kinds';
import { AppError } from '@dostar/protocol/errors';
import type { AccountId, ChatId } from '@dostar/protocol/ids';
import { noteDrops } from '../attachments/drops.ts';
import type { Db } from '../db/open.ts';
import { messageKey, type MessageRow } from '../db/rows.ts';
import type { ClientDeps } from '../deps.ts';
import { newMessageId } from '../message-id.ts';
import { eraseRow } from './erase-row.ts';
import { composeRow, removeWaiting, type SendDeps } from './send.ts';
import { mailTables, nextPos, refreshChats, timelineOf } from './store.ts';

type EraseDeps = Pick<ClientDeps, 'account' | 'clock' | 'random'>;

/**
 * The words are gone from this device at once; the outbox tells the server, after a reload if it must, and it the other
 * devices. A message the server has not taken yet is withdrawn instead.
 */
export async function deleteForMe(db: Db, deps: EraseDeps, { sender, id }: Target): Promise<void> {
  await db.transaction('rw', mailTables(db), async () => {
    const row = await db.messages.get([sender, id]);
    if (row === undefined) return;
    if (row.status !== 'sent') return removeWaiting(db, row);
    await eraseHere(db, deps, { ...row, isHidden: true }, undefined);
    await refreshChats(db, deps.account, new Map([[row.chat, undefined]]));
  });
}

/** Everything that is shown of a chat, on this account's devices; what has not left yet is withdrawn. */
export async function deleteChat(db: Db, deps: EraseDeps, chat: ChatId): Promise<void> {
  await db.transaction('rw', mailTables(db), async () => {
    for (const row of await timelineOf(db, chat).toArray()) {
      if (row.status === 'sent') await eraseHere(db, deps, { ...row, isHidden: true }, undefined);
      else await removeWaiting(db, row);
    }
    await refreshChats(db, deps.account, new Map([[chat, undefined]]));
  });
}

/**
 * Says under the seal that the message is taken back, so that no server can say it for its author (SPEC E4), and has the
 * server drop both copies (SPEC M5). What it was edited to goes too.
 */
export async function deleteForEveryone(db: Db, deps: SendDeps, target: Target): Promise<void> {
  const { account } = deps;
  if (target.sender !== account) throw new AppError('forbidden');
  const found = await db.messages.get([target.sender, target.id]);
  const to = found?.address?.to ?? (found && (await db.chats.get(found.chat))?.peer);
  if (found === undefined) return;
  if (to === undefined) throw new AppError('unknown_account');
  const { blobs } = found;
  const said = await composeRow(deps, { to, content: { kind: 'delete', target, ...(blobs && { blobs }) } });
  await db.transaction('rw', mailTables(db), async () => {
    const row = await db.messages.get([target.sender, target.id]);
    if (row === undefined) return;
    if (row.status !== 'sent') return removeWaiting(db, row);
    await said.place(db);
    await eraseHere(db, deps, { ...row, isDeleted: true }, to);
    const edits = await db.messages.where('target').equals(messageKey(target)).toArray();
    for (const edit of edits) {
      if (edit.kind === 'edit' && edit.sender === account && edit.status === 'sent')
        await eraseHere(db, deps, edit, to);
    }
    await refreshChats(db, account, new Map([[row.chat, to]]));
  });
}

/** In the caller's transaction. `everywhere` is the other account, whose copy goes too. */
export async function eraseHere(
  db: Db,
  { clock, random }: Omit<EraseDeps, 'account'>,
  row: MessageRow,
  everywhere: AccountId | undefined,
): Promise<void> {
  await noteDrops(db, row);
  await db.messages.put(eraseRow(row));
  await db.outbox.add({
    kind: 'erase',
    pos: await nextPos(db),
    chat: row.chat,
    id: newMessageId(clock.now(), random),
    target: { sender: row.sender, id: row.id },
    ...(everywhere !== undefined && { everywhere }),
  });
}

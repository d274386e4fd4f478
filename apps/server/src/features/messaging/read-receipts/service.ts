/**
 * Users report what they have read; their other devices and, if the user allows it, the senders learn of it (SPEC R8).
 *
 * The senders' registers are written first and the reader's own second: after an interruption in between, the device got no
 * answer and reports it again.
 */
import { directChat } from '@dostar/protocol/ids';
import type { AccountId } from '@dostar/protocol/ids';
import { readKey } from '@dostar/protocol/mailbox';
import type { Context } from '../../../context.ts';
import { listSharingReads } from '../../people/contacts/service.ts';
import { requireHead, setRegisters } from '../mailbox/service.ts';
import { listReadUpTo } from './store.ts';

export async function markRead(ctx: Context, owner: AccountId, peer: AccountId, upTo: number): Promise<void> {
  await requireHead(ctx, owner);
  const chat = directChat(owner, peer);
  const key = readKey(chat, owner);
  const read = await ctx.shards.of(owner).query((db) => listReadUpTo(db, { owner, chat, key }, upTo));
  // No entry of the chat is there: a mark would be a register without use.
  if (read.length === 0) return;
  const others = read.filter(({ sender }) => sender !== owner);
  const telling = await listSharingReads(
    ctx,
    others.map(({ sender }) => ({ owner, peer: sender })),
  );
  const isTold = new Set(telling.map((pair) => pair.peer));
  const told = others.filter(({ sender }) => isTold.has(sender));
  await setRegisters(
    ctx,
    told.map(({ sender, seq }) => ({ owner: sender, key, mark: seq, value: null })),
  );
  const mark = Math.max(...read.map(({ seq }) => seq));
  await setRegisters(ctx, [{ owner, key, mark, value: null }]);
}

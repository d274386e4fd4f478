/** Edits and forwards existing messages. */
import type { Content, Target } from '@dostar/protocol/content/kinds';
import { AppError } from '@dostar/protocol/errors';
import type { AccountId, MessageId } from '@dostar/protocol/ids';
import type { Db } from '../../storage/open.ts';
import { pageTables, readPage } from '../store.ts';
import type { ShownContent } from '../timeline/fold.ts';
import { openPage } from '../timeline/view.ts';
import { type SendDeps, sendMessage } from './send.ts';

/** A message in the chat with the account `to`. */
export interface MessageTarget {
  to: AccountId;
  target: Target;
}

/** Only edits by the author count (SPEC E4), so this device sends no others. */
export async function editText(
  db: Db,
  deps: SendDeps,
  { to, target, text }: MessageTarget & { text: string },
): Promise<void> {
  if (target.sender !== deps.account) throw new AppError('forbidden');
  await sendMessage(db, deps, { to, content: { kind: 'edit', target, text } });
}

/**
 * Sends the present content of the messages to another account, in the given order. Messages without content are
 * skipped.
 */
export async function forwardMessages(
  db: Db,
  deps: SendDeps,
  { to, targets }: { to: AccountId; targets: Target[] },
): Promise<MessageId[]> {
  const page = await db.transaction('r', pageTables(db), async () => {
    const rows = await db.messages.bulkGet(targets.map(({ sender, id }): [AccountId, MessageId] => [sender, id]));
    return readPage(
      db,
      deps.account,
      rows.filter((row) => row !== undefined),
    );
  });
  const ids: MessageId[] = [];
  for (const { shows } of await openPage(page, deps.reader)) {
    const content = shows.state === 'content' ? asForwarded(shows.content) : undefined;
    if (content !== undefined) ids.push(await sendMessage(db, deps, { to, content }));
  }
  return ids;
}

function asForwarded(content: ShownContent): Content | undefined {
  switch (content.kind) {
    case 'text':
    case 'media':
    case 'voice': {
      const { replyTo: _, ...rest } = content;
      return { ...rest, isForwarded: true };
    }
    case 'timer':
    case 'system':
      return undefined;
  }
}

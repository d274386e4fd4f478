/** What a person does in a chat, each as the content that says it. */
import type { Content, Target } from '@dostar/protocol/content/kinds';
import { AppError } from '@dostar/protocol/errors';
import { type AccountId, directChat, type MessageId } from '@dostar/protocol/ids';
import { saveDraft } from '../../account-data/drafts.ts';
import type { Db } from '../../storage/open.ts';
import { withQuotaRetry } from '../../storage/quota.ts';
import type { Mutex } from '../../lib/mutex.ts';
import type { OptimisticMessages } from './optimistic-messages.ts';
import type { ShownContent } from '../timeline/fold.ts';
import { composeRow, type Draft, newStamp, type SendDeps, sendMessage, type Stamp } from './send.ts';
import { mailTables, pageTables, readPage } from '../store.ts';
import { findTimer, readTimer } from '../maintenance/timer.ts';
import { type ContentReader, openPage } from '../timeline/view.ts';

export interface ActionDeps extends SendDeps {
  reader: ContentReader;
  optimisticMessages: OptimisticMessages;
}

export interface TextDraft {
  to: AccountId;
  text: string;
  replyTo?: Target;
  /** These words were the chat's draft, which goes when they are kept. */
  isDraft?: boolean;
}

export interface TextDeps extends ActionDeps {
  /** A draft that is still being saved must not come after the words it became. */
  draftMutex: Mutex;
}

/** Something done to a message in the chat with `to`. */
export interface MessageTarget {
  to: AccountId;
  target: Target;
}

/** What disappears by the chat's timer does so, unless the draft says otherwise. */
export async function sendContent(db: Db, deps: ActionDeps, draft: Draft, stamp?: Stamp): Promise<MessageId> {
  const { row, insert } = await composeContent(db, deps, draft, stamp);
  await withQuotaRetry(db, deps, () => db.transaction('rw', mailTables(db), async () => insert(db)));
  return row.id;
}

/** The same for a caller that puts it into a transaction of its own. */
export async function composeContent(db: Db, deps: ActionDeps, draft: Draft, stamp?: Stamp) {
  const isTimed = draft.expiresIn === undefined && canExpire(draft.content);
  const timer = isTimed ? await findTimer(db, directChat(deps.account, draft.to)) : undefined;
  const seconds = await readTimer(deps.reader, timer);
  return composeRow(deps, seconds > 0 ? { ...draft, expiresIn: seconds } : draft, stamp);
}

function canExpire({ kind }: Content): boolean {
  return kind === 'text' || kind === 'media' || kind === 'voice';
}

/** In sight before this returns its promise; the promise is kept once it is safe on this device. */
export async function sendText(db: Db, deps: TextDeps, request: TextDraft): Promise<MessageId> {
  const { to, text, replyTo, isDraft = false } = request;
  const { account: sender, optimisticMessages } = deps;
  const content = { kind: 'text' as const, text, ...(replyTo !== undefined && { replyTo }) };
  const stamp = newStamp(deps);
  const message = { ...stamp, chat: directChat(sender, to), sender, content };
  const draft = { to, content };
  const save = isDraft
    ? sendFromDraft(db, deps, draft, stamp)
    : async () => void (await sendContent(db, deps, draft, stamp));
  try {
    await optimisticMessages.add(message, save);
  } catch (error) {
    // What can't be said at all is not better for being tried again.
    if (error instanceof AppError) optimisticMessages.drop(stamp.id);
    throw error;
  }
  return stamp.id;
}

/**
 * Words and draft in one go: a tab closed in between would find them in the chat and in the field. The turn among the
 * savings of drafts is taken at once, not when the words have been sealed: what is typed meanwhile is the next draft.
 */
function sendFromDraft(db: Db, deps: TextDeps, draft: Draft, stamp: Stamp): () => Promise<void> {
  const chat = directChat(deps.account, draft.to);
  const tables = [...mailTables(db), db.items, db.docs];
  const turn = Promise.withResolvers<void>();
  const end = Promise.withResolvers<void>();
  void deps.draftMutex.run(chat, () => {
    turn.resolve();
    return end.promise;
  });
  let isDraft = true;
  return async () => {
    await turn.promise;
    try {
      const { insert } = await composeContent(db, deps, draft, stamp);
      await withQuotaRetry(db, deps, () =>
        db.transaction('rw', tables, async () => {
          await insert(db);
          if (isDraft) await saveDraft(db, deps, chat, undefined);
        }),
      );
    } finally {
      // Tried again, they are in their bubble, and the draft is another.
      isDraft = false;
      end.resolve();
    }
  };
}

/** Only the author's edit counts (SPEC E4), so nobody else's is sent. */
export async function editText(
  db: Db,
  deps: ActionDeps,
  { to, target, text }: MessageTarget & { text: string },
): Promise<void> {
  if (target.sender !== deps.account) throw new AppError('forbidden');
  await sendMessage(db, deps, { to, content: { kind: 'edit', target, text } });
}

/** Sends what the messages show now to somebody else, in the order given; what shows no content is left out. */
export async function forwardMessages(
  db: Db,
  deps: ActionDeps,
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
    if (content !== undefined) ids.push(await sendContent(db, deps, { to, content }));
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

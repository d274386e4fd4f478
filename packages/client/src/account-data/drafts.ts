/** Unsent texts, on every device of their author. */
import { Target } from '@dostar/protocol/content/kinds';
import type { ChatId } from '@dostar/protocol/ids';
import { z } from 'zod';
import type { AtRest } from '../storage/at-rest.ts';
import type { Db } from '../storage/open.ts';
import type { ItemRow } from '../storage/rows.ts';
import { draftDoc, type ItemDeps, openValue, setItem } from './items.ts';

const ITEM = 'draft';

const SavedDraft = z.object({ text: z.string(), replyTo: Target.optional() });
export type SavedDraft = z.infer<typeof SavedDraft>;

/** An empty draft or undefined deletes it. */
export async function saveDraft(db: Db, deps: ItemDeps, chat: ChatId, draft: SavedDraft | undefined): Promise<void> {
  const isEmpty = draft === undefined || (draft.text === '' && draft.replyTo === undefined);
  // Every sent message deletes its draft: if there is none, no other device needs an update.
  if (isEmpty && (await readDraftRows(db, [chat]))[0]?.value === undefined) return;
  await setItem(db, deps, draftDoc(chat), ITEM, isEmpty ? undefined : SavedDraft.parse(draft));
}

/** One row per chat, in the given order; undefined for a chat without a draft. */
export async function readDraftRows(db: Db, chats: ChatId[]): Promise<(ItemRow | undefined)[]> {
  return db.items.bulkGet(chats.map((chat): [string, string] => [draftDoc(chat), ITEM]));
}

export async function openDraft(atRest: AtRest, row: ItemRow | undefined): Promise<SavedDraft | undefined> {
  return row === undefined ? undefined : SavedDraft.safeParse(await openValue(atRest, row)).data;
}

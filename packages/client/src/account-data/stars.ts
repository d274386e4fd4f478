/** Starred messages. They are visible to this account only. */
import type { Target } from '@dostar/protocol/content/kinds';
import { AppError } from '@dostar/protocol/errors';
import type { Db } from '../storage/open.ts';
import { type ItemRow, type MessageKey, messageKey, type MessageRow } from '../storage/rows.ts';
import { type ItemDeps, setItem, starsDoc } from './items.ts';

export async function setStar(db: Db, deps: ItemDeps, target: Target, isStarred: boolean): Promise<void> {
  const row = await db.messages.get([target.sender, target.id]);
  if (row === undefined) throw new AppError('not_found');
  await setItem(db, deps, starsDoc(row.chat), messageKey(target), isStarred ? true : undefined);
}

export async function listStarredOf(db: Db, rows: MessageRow[]): Promise<Set<MessageKey>> {
  const items = await db.items.bulkGet(rows.map((row): [string, string] => [starsDoc(row.chat), messageKey(row)]));
  return new Set(items.flatMap((item) => (isSet(item) ? [item.item as MessageKey] : [])));
}

/** Most recently starred first. */
export async function listStars(db: Db, limit: number): Promise<MessageKey[]> {
  const items = await db.items.where('doc').startsWith('stars/').filter(isSet).toArray();
  return items
    .toSorted((one, other) => other.at - one.at)
    .slice(0, limit)
    .map(({ item }) => item as MessageKey);
}

function isSet(item: ItemRow | undefined): item is ItemRow {
  return item?.value !== undefined;
}

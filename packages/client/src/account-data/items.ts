/** Account data on this device: items of documents, each with the time of its last change. */
import type { ChatId } from '@dostar/protocol/ids';
import type { AtRest } from '../storage/at-rest.ts';
import { readDeviceTag } from '../storage/meta.ts';
import type { Db } from '../storage/open.ts';
import type { ItemRow } from '../storage/rows.ts';
import type { ClientDeps } from '../deps.ts';
import type { SealedItem } from './seal-data.ts';

export const SETTINGS = 'settings';

export function draftDoc(chat: ChatId): string {
  return `draft/${chat}`;
}

export function starsDoc(chat: ChatId): string {
  return `stars/${chat}`;
}

export interface ItemDeps extends Pick<ClientDeps, 'clock' | 'random'> {
  atRest: AtRest;
}

const ENCODER = new TextEncoder();

/** Undefined deletes the item. The change counts as later than the stored one. */
export async function setItem(db: Db, deps: ItemDeps, doc: string, item: string, value: unknown): Promise<void> {
  const sealed = await closeValue(deps.atRest, doc, item, value);
  await db.transaction('rw', [db.items, db.docs, db.meta], async () => {
    const before = await db.items.get([doc, item]);
    const at = Math.max(deps.clock.now(), (before?.at ?? 0) + 1);
    const device = await readDeviceTag(db, deps.random);
    await db.items.put({ doc, item, at, device, ...(sealed !== undefined && { value: sealed }) });
    await touchDoc(db, doc);
  });
}

/** Marks the document for upload. A document that is being uploaded is uploaded once more. */
export async function touchDoc(db: Db, doc: string): Promise<void> {
  const row = await db.docs.get(doc);
  await db.docs.put({ ...row, doc, version: (row?.version ?? 0) + 1, dirty: 1 });
}

/** The later change wins and ties go by device, so every device decides the same (SPEC A2). */
export function isLater(one: Pick<SealedItem, 'at' | 'device'>, other: Pick<SealedItem, 'at' | 'device'>): boolean {
  return one.at === other.at ? one.device > other.device : one.at > other.at;
}

export async function closeValue(
  atRest: AtRest,
  doc: string,
  item: string,
  value: unknown,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  if (value === undefined) return undefined;
  return atRest.close(contextOf(doc, item), ENCODER.encode(JSON.stringify(value)));
}

/** Undefined if the item was deleted or can't be read. */
export async function openValue(atRest: AtRest, { doc, item, value }: ItemRow): Promise<unknown> {
  const bytes = value && (await atRest.open(contextOf(doc, item), value));
  return bytes === undefined ? undefined : (JSON.parse(new TextDecoder().decode(bytes)) as unknown);
}

function contextOf(doc: string, item: string): string {
  return `data/${doc}/${item}`;
}

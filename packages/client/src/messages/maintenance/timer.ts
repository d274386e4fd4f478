/** The timer of a chat: after how many seconds its messages disappear. */
import type { ChatId } from '@dostar/protocol/ids';
import type { Db } from '../../storage/open.ts';
import type { MessageRow } from '../../storage/rows.ts';
import { compareAnnotations } from '../timeline/fold.ts';
import { rowsOfKind } from '../store.ts';
import type { ContentReader } from '../timeline/view.ts';

/** The latest timer message, of either side (SPEC E6). */
export async function findTimer(db: Db, chat: ChatId): Promise<MessageRow | undefined> {
  const rows = await rowsOfKind(db, chat, 'timer').toArray();
  return rows
    .filter(({ status }) => status !== 'failed')
    .toSorted((one, other) => compareAnnotations(asAnnotation(one), asAnnotation(other)))
    .at(-1);
}

/** 0: never. */
export async function readTimer(reader: ContentReader, row: MessageRow | undefined): Promise<number> {
  const content = row && (await reader.read(row));
  return content?.kind === 'timer' ? content.seconds : 0;
}

function asAnnotation({ sender, id, at, status }: MessageRow) {
  return { sender, id, at, isWaiting: status === 'sending' };
}

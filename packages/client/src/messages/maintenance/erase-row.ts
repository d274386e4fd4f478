import type { MessageKey, MessageRow } from '../../storage/rows.ts';

/**
 * What is left of an erased message: its number and times. A message that its author deleted keeps its place in the
 * timeline, which says so; any other is hidden.
 */
export function eraseRow(row: MessageRow): MessageRow {
  const { sender, id, chat, pos, at, status, reading, peerSeq, address, sealedAt, target, isDeleted, isHidden } = row;
  // An annotation never has a place.
  const isPlaced = isDeleted === true && isHidden !== true && target === undefined;
  return {
    sender,
    id,
    chat,
    pos,
    at,
    status,
    ...(reading !== undefined && { reading }),
    ...(peerSeq !== undefined && { peerSeq }),
    ...(address !== undefined && { address }),
    ...(sealedAt !== undefined && { sealedAt }),
    ...(isPlaced && { slot: pos, isDeleted }),
    ...(isHidden === true && { isHidden }),
    ...(hadContent(row) && { todo: 'index' as const }),
  };
}

/** The message that its own author deletes for everyone with this one (SPEC E4). */
export function retractionTarget({ kind, sender, target }: MessageRow): MessageKey | undefined {
  return kind === 'delete' && target?.startsWith(`${sender}/`) ? target : undefined;
}

/** Its text must leave the search index too. */
function hadContent({ kind, todo }: MessageRow): boolean {
  return kind === 'text' || kind === 'media' || todo === 'index';
}

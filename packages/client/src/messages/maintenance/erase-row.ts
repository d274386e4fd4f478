import type { MessageKey, MessageRow } from '../../storage/rows.ts';

/**
 * What is left of a message whose words are gone: its number and times. One that its author took back keeps its place,
 * which says so; any other is hidden.
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

/** The message that its own author takes back with this one (SPEC E4). */
export function retractionTarget({ kind, sender, target }: MessageRow): MessageKey | undefined {
  return kind === 'delete' && target?.startsWith(`${sender}/`) ? target : undefined;
}

/** The search forgets it too. */
function hadContent({ kind, todo }: MessageRow): boolean {
  return kind === 'text' || kind === 'media' || todo === 'index';
}

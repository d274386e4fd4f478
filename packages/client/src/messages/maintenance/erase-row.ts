import type { MessageKey, MessageRow } from '../../storage/rows.ts';

/**
 * An erased message keeps only its number and times. If its author deleted it, it keeps its place in the timeline,
 * which says so; any other erased message is hidden.
 */
export function eraseRow(row: MessageRow): MessageRow {
  const { sender, id, chat, pos, at, status, reading, peerSeq, address, sealedAt, target, isDeleted, isHidden } = row;
  // An annotation has no place in the timeline.
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

/** The message that this row deletes for everyone; only the author's deletions count (SPEC E4). */
export function retractionTarget({ kind, sender, target }: MessageRow): MessageKey | undefined {
  return kind === 'delete' && target?.startsWith(`${sender}/`) ? target : undefined;
}

/** Whether the search index may contain its text, which must then be removed. */
function hadContent({ kind, todo }: MessageRow): boolean {
  return kind === 'text' || kind === 'media' || todo === 'index';
}

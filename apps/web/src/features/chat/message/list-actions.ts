import type { Message } from '@dostar/client';

export type MessageAction =
  | 'reply'
  | 'copy'
  | 'edit'
  | 'forward'
  | 'pin'
  | 'star'
  | 'save'
  | 'info'
  | 'select'
  | 'delete';

/** Actions available for a message now, in menu order. */
export function listActions({ shows, status }: Pick<Message, 'shows' | 'status'>, isOwn: boolean): MessageAction[] {
  if (shows.state !== 'content') return shows.state === 'deleted' ? ['delete'] : ['select', 'delete'];
  const { content } = shows;
  if (content.kind === 'timer' || content.kind === 'system') return [];
  const hasWords = content.kind === 'text' || (content.kind === 'media' && content.caption !== undefined);
  const hasFile = content.kind !== 'text';
  const isThere = status !== 'sending' && status !== 'failed';
  const can: Record<MessageAction, boolean> = {
    reply: isThere,
    copy: hasWords,
    edit: isOwn && isThere && hasWords,
    forward: isThere,
    pin: isThere,
    star: isThere,
    save: hasFile,
    info: isOwn && isThere,
    select: true,
    delete: true,
  };
  return (Object.keys(can) as MessageAction[]).filter((action) => can[action]);
}

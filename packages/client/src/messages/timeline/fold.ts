/**
 * What a message shows, from what was said and everything said about it since.
 *
 * A pure function of a set: the order in which a device came by the parts makes no difference (SPEC E6).
 */
import type { Content, ContentKind } from '@dostar/protocol/content/kinds';
import type { AccountId, MessageId } from '@dostar/protocol/ids';
import type { Refusal, WaitReason } from '../../storage/rows.ts';

/** What has a place of its own in a chat. */
export type ShownContent = Exclude<Content, { kind: 'reaction' | 'edit' | 'delete' | 'pin' | 'read' }>;

export type Shows =
  | { state: 'content'; content: ShownContent }
  /** `opening`: in a moment. The others as the sealer has them: when its key comes, this device is unlocked, or so. */
  | { state: 'waiting'; reason: 'opening' | WaitReason }
  /** Its author took it back. */
  | { state: 'deleted' }
  /** The app is too old for it. */
  | { state: 'unknown' }
  /** It is not what it claims to be. */
  | { state: 'refused'; reason: Refusal };

export interface Reaction {
  emoji: string;
  by: AccountId[];
}

/** Something said about a message. */
export interface Annotation {
  sender: AccountId;
  id: MessageId;
  /** The server's time, or this device's while it waits. */
  at: number;
  isWaiting: boolean;
  content: Content;
}

export interface Folded {
  shows: Shows;
  /** Those said first come first. */
  reactions: Reaction[];
  editedAt?: number;
  isPinned: boolean;
}

export function foldMessage(author: AccountId, original: Shows, annotations: readonly Annotation[]): Folded {
  const inOrder = annotations.toSorted(compareAnnotations);
  const isDeleted =
    original.state === 'deleted' ||
    inOrder.some(({ sender, content }) => content.kind === 'delete' && sender === author);
  if (isDeleted) return { shows: { state: 'deleted' }, reactions: [], isPinned: false };
  const edit = inOrder.findLast(({ sender, content }) => content.kind === 'edit' && sender === author);
  const shows = edit === undefined ? original : applyEdit(original, edit.content);
  const pin = inOrder.findLast(({ content }) => content.kind === 'pin')?.content;
  return {
    shows,
    reactions: foldReactions(inOrder),
    isPinned: pin?.kind === 'pin' && pin.isPinned,
    ...(edit !== undefined && shows !== original && { editedAt: edit.at }),
  };
}

/** By the server's time, which is the same on every device; what waits comes after all that has arrived. */
export function compareAnnotations(one: OrderedAnnotation, other: OrderedAnnotation): number {
  if (one.isWaiting !== other.isWaiting) return one.isWaiting ? 1 : -1;
  return one.at - other.at || compareText(one.id, other.id) || compareText(one.sender, other.sender);
}

type OrderedAnnotation = Pick<Annotation, 'sender' | 'id' | 'at' | 'isWaiting'>;

function compareText(one: string, other: string): number {
  return Number(one > other) - Number(one < other);
}

function applyEdit(original: Shows, edit: Content): Shows {
  if (edit.kind !== 'edit' || original.state !== 'content') return original;
  const { content } = original;
  if (content.kind === 'text') return { state: 'content', content: { ...content, text: edit.text } };
  if (content.kind === 'media') return { state: 'content', content: { ...content, caption: edit.text } };
  return original;
}

function foldReactions(inOrder: readonly Annotation[]): Reaction[] {
  const latest = new Map<AccountId, string | null>();
  for (const { sender, content } of inOrder) {
    if (content.kind !== 'reaction') continue;
    latest.delete(sender);
    latest.set(sender, content.emoji);
  }
  const reactions = new Map<string, AccountId[]>();
  for (const [sender, emoji] of latest) {
    if (emoji !== null) reactions.set(emoji, [...(reactions.get(emoji) ?? []), sender]);
  }
  return Array.from(reactions, ([emoji, by]) => ({ emoji, by }));
}

const ANNOTATION_KINDS: ReadonlySet<ContentKind> = new Set(['reaction', 'edit', 'delete', 'pin', 'read']);

export function isShownContent(content: Content): content is ShownContent {
  return !ANNOTATION_KINDS.has(content.kind);
}

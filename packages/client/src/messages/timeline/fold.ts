/**
 * The displayed content of a message: its content with all its annotations applied.
 *
 * A pure function of a set: it does not matter in which order a device received the annotations (SPEC E6).
 */
import type { Content, ContentKind } from '@dostar/protocol/content/kinds';
import type { AccountId, MessageId } from '@dostar/protocol/ids';
import type { Refusal, WaitReason } from '../../storage/rows.ts';

/** Content with its own place in the timeline. */
export type ShownContent = Exclude<Content, { kind: 'reaction' | 'edit' | 'delete' | 'pin' | 'read' }>;

export type Shows =
  | { state: 'content'; content: ShownContent }
  /** `opening`: decryption is about to start. The other reasons are those of the sealer's `Opened`. */
  | { state: 'waiting'; reason: 'opening' | WaitReason }
  /** Its author deleted it. */
  | { state: 'deleted' }
  /** The message is of a newer version of the app. */
  | { state: 'unknown' }
  /** The message is forged, copied or malformed. */
  | { state: 'refused'; reason: Refusal };

export interface Reaction {
  emoji: string;
  by: AccountId[];
}

/** A reaction, edit, pin or deletion of a message. */
export interface Annotation {
  sender: AccountId;
  id: MessageId;
  /** The server's time; this device's time while the annotation is unsent. */
  at: number;
  isWaiting: boolean;
  content: Content;
}

export interface Folded {
  shows: Shows;
  /** Oldest first. */
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

/** By the server's time, which is the same on every device; unsent annotations come last. */
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

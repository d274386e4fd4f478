/**
 * Contents of messages, inside the encryption. The server never sees any of this (SPEC E).
 *
 * To add a kind, add a line here. Older apps show "update the app" instead of it (SPEC E5), and ignore a new optional
 * field of an existing kind.
 */
import { z } from 'zod';
import { AccountId, MessageId } from '../ids.ts';
import { MediaReference, VoiceReference } from './media.ts';

export const MAX_TEXT_BYTES = 16 * 1024;

/** The longest time until a message disappears: four weeks. */
export const MAX_TIMER_SECONDS = 28 * 24 * 60 * 60;

/** Names a message in the same chat: ids are unique per sender only (SPEC M3). */
export const Target = z.object({ sender: AccountId, id: MessageId });
export type Target = z.infer<typeof Target>;

const Text = z
  .string()
  .max(MAX_TEXT_BYTES)
  .refine((text) => new TextEncoder().encode(text).length <= MAX_TEXT_BYTES);

/** Optional fields of every content that is shown in a chat. */
const Shown = {
  replyTo: Target.optional(),
  /** True for a forwarded message; its original author is not named. */
  isForwarded: z.literal(true).optional(),
};

const TextContent = z.object({ kind: z.literal('text'), text: Text.min(1), ...Shown });

const MediaContent = z.object({
  kind: z.literal('media'),
  media: MediaReference,
  caption: Text.min(1).optional(),
  /** Pictures sent together are shown together, in this order. */
  album: z.object({ id: z.uuid(), index: z.int().min(0).max(99), size: z.int().min(2).max(100) }).optional(),
  ...Shown,
});

const VoiceContent = z.object({ kind: z.literal('voice'), voice: VoiceReference, ...Shown });

/** A user has at most one reaction to a message: the last one replaces earlier ones, and `null` removes it. */
const ReactionContent = z.object({
  kind: z.literal('reaction'),
  target: Target,
  emoji: z.string().min(1).max(64).nullable(),
});

/** The new text or caption of a message. Ignored unless the author of the target sent it (SPEC E4). */
const EditContent = z.object({ kind: z.literal('edit'), target: Target, text: Text.min(1) });

/** A message names a file and optionally its poster. */
const MAX_BLOBS = 2;

/** Deletes a message for everyone. Ignored unless its author sent it (SPEC E4). */
const DeleteContent = z.object({
  kind: z.literal('delete'),
  target: Target,
  /** The files of the deleted message: a device that never decrypted it holds references to them too (SPEC F4). */
  blobs: z.array(z.uuid()).max(MAX_BLOBS).optional(),
});

const PinContent = z.object({ kind: z.literal('pin'), target: Target, isPinned: z.boolean() });

/** The sender has seen everything up to the target. Encrypted, unlike the server's read receipt, which is not trusted. */
const ReadContent = z.object({ kind: z.literal('read'), target: Target });

/** From now on messages in this chat disappear after this many seconds; 0 turns that off. */
const TimerContent = z.object({ kind: z.literal('timer'), seconds: z.int().min(0).max(MAX_TIMER_SECONDS) });

/** A line about the chat itself. */
const SystemContent = z.object({
  kind: z.literal('system'),
  event: z.enum(['invite_accepted', 'identity_reset', 'verified']),
});

export const Content = z.discriminatedUnion('kind', [
  TextContent,
  MediaContent,
  VoiceContent,
  ReactionContent,
  EditContent,
  DeleteContent,
  PinContent,
  ReadContent,
  TimerContent,
  SystemContent,
]);
export type Content = z.infer<typeof Content>;
export type ContentKind = Content['kind'];

interface KindTraits {
  /** Whether it is shown as a message of its own; other kinds change how their target is shown. */
  isShown: boolean;
  /** Whether it causes a notification, which is all that the server learns about the content (SPEC E3). */
  rings: boolean;
}

export const KIND_TRAITS: Record<ContentKind, KindTraits> = {
  text: { isShown: true, rings: true },
  media: { isShown: true, rings: true },
  voice: { isShown: true, rings: true },
  reaction: { isShown: false, rings: false },
  edit: { isShown: false, rings: false },
  delete: { isShown: false, rings: false },
  pin: { isShown: false, rings: false },
  read: { isShown: false, rings: false },
  timer: { isShown: true, rings: false },
  system: { isShown: true, rings: false },
};

export function isContentKind(kind: string): kind is ContentKind {
  return Object.hasOwn(KIND_TRAITS, kind);
}

/** The message that this content changes; undefined for content that changes none. */
export function targetOf(content: Content): Target | undefined {
  return 'target' in content ? content.target : undefined;
}

/** The text that a user can search for and copy. */
export function searchableText(content: Content): string | undefined {
  switch (content.kind) {
    case 'text':
    case 'edit':
      return content.text;
    case 'media':
      return content.caption;
    case 'voice':
    case 'reaction':
    case 'delete':
    case 'pin':
    case 'read':
    case 'timer':
    case 'system':
      return undefined;
  }
}

/**
 * Contents of messages, inside the encryption. The server never sees any of this (SPEC E).
 *
 * A new kind is a new line here. Apps from before it show "update the app" in its place (SPEC E5); a new optional field
 * of an old kind is simply not seen by them.
 */
import { z } from 'zod';
import { AccountId, MessageId } from '../ids.ts';
import { MediaReference, VoiceReference } from './media.ts';

export const MAX_TEXT_BYTES = 16 * 1024;

/** The longest a message may last before it disappears: four weeks. */
export const MAX_TIMER_SECONDS = 28 * 24 * 60 * 60;

/** A message somewhere in the same chat: ids are unique per sender only (SPEC M3). */
export const Target = z.object({ sender: AccountId, id: MessageId });
export type Target = z.infer<typeof Target>;

const Text = z
  .string()
  .max(MAX_TEXT_BYTES)
  .refine((text) => new TextEncoder().encode(text).length <= MAX_TEXT_BYTES);

/** What anything shown in a chat may carry. */
const Shown = {
  replyTo: Target.optional(),
  /** It was forwarded; the original author is not named. */
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

/** A user has at most one reaction to a message: the last one counts, and `null` removes it. */
const ReactionContent = z.object({
  kind: z.literal('reaction'),
  target: Target,
  emoji: z.string().min(1).max(64).nullable(),
});

/** New words for a text or a caption. Counts only from the author of the target (SPEC E4). */
const EditContent = z.object({ kind: z.literal('edit'), target: Target, text: Text.min(1) });

/** A message names a file, and perhaps its poster. */
const MAX_BLOBS = 2;

/** Takes a message back for everyone. Counts only from its author (SPEC E4). */
const DeleteContent = z.object({
  kind: z.literal('delete'),
  target: Target,
  /** The files that it named: a device that never decrypted it holds references to them all the same (SPEC F4). */
  blobs: z.array(z.uuid()).max(MAX_BLOBS).optional(),
});

const PinContent = z.object({ kind: z.literal('pin'), target: Target, isPinned: z.boolean() });

/** The sender has seen everything up to the target. Encrypted, unlike the server's read receipt, which is not trusted. */
const ReadContent = z.object({ kind: z.literal('read'), target: Target });

/** What is sent in this chat from now on disappears after so many seconds; 0: nothing does. */
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
  /** Has a place of its own in the chat; the others change what is shown of their target. */
  isShown: boolean;
  /** Causes a notification: the only fact about the content outside the encryption (SPEC E3). */
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

/** The message this one is about, for those that change another. */
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

/** Contacts. Each side decides for itself; its decision and its preferences are shown to its own devices only. */
import { z } from 'zod';
import { AccountId, ChatId, MessageId } from '../ids.ts';
import { Seq } from '../mailbox.ts';
import { Locale, Username } from './accounts.ts';
import { CHANGED_PREFERENCES, STORED_PREFERENCES } from './contact-preferences.ts';
import { Done } from './done.ts';
import { endpoint } from './endpoint.ts';
import { PictureUrl } from './picture-url.ts';

/**
 * One side's state. `asked`: the other side sent a request that is not answered yet. `accepted`: the other side may
 * write here, because it was added or its request was accepted. Two sides that accept each other are contacts.
 */
export const ContactState = z.enum(['none', 'asked', 'accepted', 'declined', 'blocked']);
export type ContactState = z.infer<typeof ContactState>;

/** `accept` adds a contact or accepts their request. */
export const Decision = z.enum(['accept', 'decline', 'remove', 'block', 'unblock']);
export type Decision = z.infer<typeof Decision>;

/** The register of a contact in its owner's mailbox. */
export function contactKey(peer: AccountId): string {
  return `contact/${peer}`;
}

/** The value of that register, as JSON. */
export const ContactRecord = z.object({
  state: ContactState,
  /** Whether the other side accepts too, by the last decision that has arrived. */
  peerAccepts: z.boolean(),
  ...STORED_PREFERENCES,
  /** When the state last changed. */
  since: z.int().nonnegative(),
});
export type ContactRecord = z.infer<typeof ContactRecord>;

const Act = z.uuid();

export const FoundUser = z.object({
  id: AccountId,
  username: Username.nullable(),
  /**
   * The account's master public key according to the server. An invite or a verification in person is better evidence.
   */
  publicKey: z.string().nullable(),
  /** Name and photo URL, if the profile shows them to the caller. */
  name: z.string().max(250).optional(),
  picture: PictureUrl.optional(),
  /** True for a program of the operator, which the app marks as an assistant. */
  isAssistant: z.literal(true).optional(),
  /** The contact's app language. Only assistants get it, because they write first. */
  locale: Locale.optional(),
});
export type FoundUser = z.infer<typeof FoundUser>;

/** Finds an account by its whole username, never by a part of it. */
export const findUser = endpoint({
  method: 'POST',
  path: '/api/contacts/find',
  auth: 'session',
  body: z.object({ username: Username }),
  reply: z.object({ user: FoundUser }),
  errors: ['not_found', 'rate_limited', 'unavailable'],
});

/**
 * A contact after a change, with the revision of its register, so that the device can show it before the socket sends
 * it.
 */
export const SavedContact = z.object({ contact: ContactRecord, rev: z.int().positive().optional() });
export type SavedContact = z.infer<typeof SavedContact>;

/** A repeat under the same `act` is answered and changes nothing (SPEC W4). */
export const decideContact = endpoint({
  method: 'POST',
  path: '/api/contacts/decide',
  auth: 'session',
  body: z.object({ act: Act, peer: AccountId, decision: Decision }),
  reply: SavedContact,
  errors: ['unknown_account', 'forbidden', 'rate_limited', 'unavailable'],
});

export const ContactChanges = z.object(CHANGED_PREFERENCES).partial();
export type ContactChanges = z.infer<typeof ContactChanges>;

/** Changes the preferences that are named and no others. */
export const changeContact = endpoint({
  method: 'POST',
  path: '/api/contacts/change',
  auth: 'session',
  body: z.object({ act: Act, peer: AccountId, changes: ContactChanges }),
  reply: SavedContact,
  errors: ['not_found', 'rate_limited', 'unavailable'],
});

export const ReportReason = z.enum(['spam', 'harassment', 'violence', 'impersonation', 'other']);
export type ReportReason = z.infer<typeof ReportReason>;

/** For the operator, who sees the note and no message. */
export const reportAccount = endpoint({
  method: 'POST',
  path: '/api/contacts/report',
  auth: 'session',
  body: z.object({ act: Act, peer: AccountId, reason: ReportReason, note: z.string().trim().max(1_000).optional() }),
  reply: Done,
  errors: ['unknown_account', 'forbidden', 'rate_limited', 'unavailable'],
});

/** Larger counts are shown as "99+". */
export const MAX_UNREAD = 100;

/** The newest message of a chat, as it is in the mailbox: encrypted. */
export const LastMessage = z.object({
  $id: MessageId,
  chatId: ChatId,
  senderId: AccountId,
  receiverId: AccountId,
  timestamp: z.iso.datetime(),
  seq: Seq.positive(),
  /** Missing if the message was erased. */
  body: z.base64url().optional(),
});

export const ContactUser = FoundUser.extend({
  isVerified: z.boolean(),
  /** Null if the user does not show it. */
  lastOnline: z.iso.datetime().nullable(),
  contact: ContactRecord,
  lastMessage: LastMessage.nullable(),
  unread: z.object({ number: z.int().nonnegative().max(MAX_UNREAD), isThere: z.boolean() }),
});
export type ContactUser = z.infer<typeof ContactUser>;

/** Accepted contacts and requests. */
export const getContacts = endpoint({
  method: 'GET',
  path: '/api/get-contacts',
  auth: 'session',
  body: z.undefined(),
  reply: z.object({ users: z.array(ContactUser) }),
  errors: ['unauthenticated', 'rate_limited', 'unavailable'],
});

/** Leaves out accounts that the caller can't reach (SPEC W1). */
export const listUsers = endpoint({
  method: 'POST',
  path: '/api/contacts/users',
  auth: 'session',
  body: z.object({ accounts: z.array(AccountId).min(1).max(100) }),
  reply: z.object({ users: z.array(FoundUser) }),
  errors: ['rate_limited', 'unavailable'],
});

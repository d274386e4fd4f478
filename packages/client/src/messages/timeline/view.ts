/** Messages as the screen shows them: rows of the database, decrypted, with their annotations applied. */
import { decodeContent } from '@dostar/protocol/content/codec';
import type { Content, Target } from '@dostar/protocol/content/kinds';
import type { ErrorCode } from '@dostar/protocol/errors';
import type { AccountId, ChatId, MessageId } from '@dostar/protocol/ids';
import type { AtRest } from '../../storage/at-rest.ts';
import type { Trust } from '../../crypto/sealing/sealer.ts';
import { type MessageKey, messageKey, type MessageRow } from '../../storage/rows.ts';
import { foldMessage, isShownContent, type Reaction, type Annotation, type Shows } from './fold.ts';
import { reduceStatus, type Status } from './status.ts';

export interface Message {
  chat: ChatId;
  sender: AccountId;
  id: MessageId;
  /** The server's number, once assigned; an older page is requested with it. */
  seq?: number;
  /** Its place in the timeline: an anchor for windows and jumps. */
  place: number;
  at: number;
  shows: Shows;
  /** The message that this one replies to, if this device has it. */
  quote?: Quote;
  reactions: Reaction[];
  editedAt?: number;
  isPinned: boolean;
  isStarred: boolean;
  status: Status;
  /** Why it failed; while it is `sending`, the decision of the person that it waits for. */
  error?: ErrorCode;
  /** `failed` because this device could not store it: it is lost with the tab unless the person sends it again. */
  isUnsaved?: boolean;
  trust?: Trust;
  /** When it disappears, if known; and after how many seconds. */
  expiresAt?: number;
  expiresIn?: number;
}

export interface Quote extends Target {
  shows: Shows;
  place?: number;
}

/** The rows that one transaction reads for a list of messages. */
export interface RowPage {
  rows: MessageRow[];
  /** Annotations of these messages and of the quoted ones. */
  annotations: MessageRow[];
  quoted: MessageRow[];
  starred: ReadonlySet<MessageKey>;
  marks: Marks;
}

/** How far others have received and read each chat, in their own numbers. */
export interface Marks {
  delivered: ReadonlyMap<ChatId, number>;
  read: ReadonlyMap<ChatId, number>;
}

/** Decrypts contents and caches the last few thousand, so that scrolling back and forth decrypts nothing twice. */
export interface ContentReader {
  read(row: MessageRow): Promise<Content | undefined>;
}

const MAX_KEPT = 4_000;

export function createContentReader(atRest: AtRest): ContentReader {
  /** The key is the first twelve encrypted bytes: random, and so unique. */
  const kept = new Map<string, Content>();

  return {
    async read(row) {
      if (row.content === undefined) return undefined;
      const name = String.fromCharCode(...row.content.subarray(0, 12));
      const known = kept.get(name);
      if (known !== undefined) return known;
      const bytes = await atRest.open(messageKey(row), row.content);
      const decoded = bytes && decodeContent(row, bytes);
      if (decoded?.state !== 'known') return undefined;
      kept.set(name, decoded.content);
      for (const oldest of kept.keys()) {
        if (kept.size <= MAX_KEPT) break;
        kept.delete(oldest);
      }
      return decoded.content;
    },
  };
}

export async function openPage(page: RowPage, reader: ContentReader): Promise<Message[]> {
  const annotations = await openAnnotations(page.annotations, reader);
  const quotes = new Map<MessageKey, Quote>();
  for (const row of page.quoted) quotes.set(messageKey(row), await toQuote(row, annotations, reader));
  return Promise.all(page.rows.map((row) => toMessage(row, { ...page, annotations, quotes }, reader)));
}

async function openAnnotations(rows: MessageRow[], reader: ContentReader): Promise<Map<MessageKey, Annotation[]>> {
  const annotations = new Map<MessageKey, Annotation[]>();
  const contents = await Promise.all(rows.map((row) => reader.read(row)));
  for (const [index, { target, sender, id, at, status }] of rows.entries()) {
    const content = contents[index];
    if (content === undefined || target === undefined) continue;
    const annotation = { sender, id, at, isWaiting: status === 'sending', content };
    annotations.set(target, [...(annotations.get(target) ?? []), annotation]);
  }
  return annotations;
}

interface OpenedPage extends Pick<RowPage, 'starred' | 'marks'> {
  annotations: Map<MessageKey, Annotation[]>;
  quotes: Map<MessageKey, Quote>;
}

async function toMessage(row: MessageRow, page: OpenedPage, reader: ContentReader): Promise<Message> {
  const { chat, sender, id, at, error, reading, trust, expiresAt, expiresIn } = row;
  const key = messageKey(row);
  const quote = row.quotes && page.quotes.get(row.quotes);
  return {
    chat,
    sender,
    id,
    at,
    place: row.slot ?? row.pos,
    ...foldMessage(sender, await showsOf(row, reader), page.annotations.get(key) ?? []),
    isStarred: page.starred.has(key),
    status: statusOf(row, page.marks),
    ...(reading !== undefined && { seq: row.pos }),
    ...(quote !== undefined && { quote }),
    ...(error !== undefined && { error }),
    ...(trust !== undefined && { trust }),
    ...(expiresAt !== undefined && { expiresAt }),
    ...(expiresIn !== undefined && { expiresIn }),
  };
}

async function toQuote(
  row: MessageRow,
  annotations: Map<MessageKey, Annotation[]>,
  reader: ContentReader,
): Promise<Quote> {
  const { sender, id, slot } = row;
  const { shows } = foldMessage(sender, await showsOf(row, reader), annotations.get(messageKey(row)) ?? []);
  return { sender, id, shows, ...(slot !== undefined && { place: slot }) };
}

async function showsOf(row: MessageRow, reader: ContentReader): Promise<Shows> {
  if (row.refused !== undefined) return { state: 'refused', reason: row.refused };
  if (row.isEvicted === true) return { state: 'waiting', reason: 'opening' };
  if (row.body !== undefined) return { state: 'waiting', reason: row.waits ?? 'opening' };
  if (row.content === undefined) return { state: 'deleted' };
  if (row.kind === 'unknown') return { state: 'unknown' };
  const content = await reader.read(row);
  return content !== undefined && isShownContent(content)
    ? { state: 'content', content }
    : { state: 'refused', reason: 'malformed' };
}

function statusOf({ status, peerSeq, chat }: MessageRow, { delivered, read }: Marks): Status {
  if (peerSeq === undefined) return status;
  if (peerSeq <= (read.get(chat) ?? 0)) return reduceStatus(status, 'read');
  return peerSeq <= (delivered.get(chat) ?? 0) ? reduceStatus(status, 'delivered') : status;
}

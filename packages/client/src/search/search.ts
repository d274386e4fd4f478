/**
 * Search in all messages that this device has decrypted. The index is stored encrypted in the local database, and
 * search words never leave the device.
 *
 * Promise: results match the present text of messages. Changed messages that are not in the index yet are searched
 * directly; deleted and expired messages are never found.
 */
import { searchableText } from '@dostar/protocol/content/kinds';
import type { ChatId } from '@dostar/protocol/ids';
import { readPendingReindex, writePendingReindex } from '../storage/meta.ts';
import type { Db } from '../storage/open.ts';
import { type MessageKey, messageKey, type MessageRow, splitKey } from '../storage/rows.ts';
import type { ClientDeps } from '../deps.ts';
import type { AtRest } from '../storage/at-rest.ts';
import { contentKeyOf, pageTables, readPage, rowsWithTodo } from '../messages/store.ts';
import { type ContentReader, type Message, openPage } from '../messages/timeline/view.ts';
import type { IndexedMessage, SearchEngine, StoredSegment } from './engine.ts';
import { foldWord, splitWords } from './fold-words.ts';
import { makeSnippet, type Snippet } from './snippet.ts';

/** How many messages one write of a segment covers. */
const BATCH = 1_000;

export interface SearchQuery {
  text: string;
  /** By default in all chats. */
  chat?: ChatId;
  limit?: number;
}

export interface SearchResult {
  message: Message;
  snippet: Snippet;
}

export interface Search {
  find(query: SearchQuery): Promise<SearchResult[]>;
  /** Adds some pending messages to the stored index; false if there were none. Only for the leading tab. */
  indexSome(): Promise<boolean>;
}

export interface SearchDeps extends Pick<ClientDeps, 'account' | 'openSearchEngine'> {
  atRest: AtRest;
  reader: ContentReader;
}

interface Pending {
  /** Missing if the message's row was deleted. */
  row?: MessageRow;
  /** The message that shows the text. */
  key: MessageKey;
  message?: Message;
}

const ENCODER = new TextEncoder();

export function createSearch(db: Db, deps: SearchDeps): Search {
  const { atRest, account } = deps;
  let opening: Promise<SearchEngine> | undefined;
  /** The versions of the segments that the engine has loaded, by number. */
  const loaded = new Map<number, number>();
  let turn: Promise<unknown> = Promise.resolve();

  return { find: (query) => inTurn(() => find(query)), indexSome: () => inTurn(indexSome) };

  /** Runs one step at a time: in the middle of a step, the engine and the database differ. */
  function inTurn<T>(step: () => Promise<T>): Promise<T> {
    const mine = turn.then(step, step);
    turn = mine.catch(() => {});
    return mine;
  }

  async function find({ text, chat, limit = 50 }: SearchQuery): Promise<SearchResult[]> {
    const words = splitWords(text);
    if (words.length === 0) return [];
    const engine = await refresh();
    const pending = await listPending(BATCH);
    const changed = new Set(pending.map(({ key }) => key));
    const hits = await engine.find(words, { limit: limit + changed.size, ...(chat !== undefined && { chat }) });
    const keys = [
      ...pending.flatMap(({ key, message }) => (message && isHit(message, words, chat) ? [key] : [])),
      ...hits.flatMap(({ key }) => (changed.has(key) ? [] : [key])),
    ];
    const messages = await readMessages(keys);
    return messages
      .toSorted((one, other) => other.at - one.at)
      .slice(0, limit)
      .map((message) => ({ message, snippet: makeSnippet(textOf(message) ?? '', words) }));
  }

  async function indexSome(): Promise<boolean> {
    const pending = await listPending(BATCH);
    if (pending.length === 0) return false;
    const engine = await refresh();
    const keys = [...new Set(pending.map(({ key }) => key))];
    const messages = new Map(pending.flatMap(({ key, message }) => (message ? [[key, message]] : [])));
    const segments = await engine.change(keys, [...messages.values()].flatMap(toIndexed));
    const sealed = await Promise.all(segments.map(closeSegment));
    await db.transaction('rw', [db.messages, db.segments, db.meta], async () => {
      for (const { segment, count, index } of sealed) {
        const version = ((await db.segments.get(segment))?.version ?? 0) + 1;
        await db.segments.put({ segment, count, index, version });
        loaded.set(segment, version);
      }
      const rows = pending.flatMap(({ row }) => row ?? []);
      for (const row of rows) await finish(row);
      // More messages may have been added to the end of the list meanwhile.
      await writePendingReindex(db, (await readPendingReindex(db)).slice(pending.length - rows.length));
    });
    return true;
  }

  /** Clears the mark, unless the message changed after it was indexed. */
  async function finish(row: MessageRow): Promise<void> {
    const now = await db.messages.get([row.sender, row.id]);
    if (now?.todo !== 'index' || !isSame(now.content, row.content)) return;
    const { todo: _, ...rest } = now;
    await db.messages.put(rest);
  }

  /** The engine with the latest stored segments, whichever tab stored them. */
  async function refresh(): Promise<SearchEngine> {
    opening ??= deps.openSearchEngine().catch((error: unknown) => {
      opening = undefined;
      throw error;
    });
    const engine = await opening;
    // Reads only keys: reading all segments for their versions would read megabytes at each typed character.
    const versions = (await db.segments.orderBy('[segment+version]').keys()) as unknown as [number, number][];
    for (const [number, version] of versions) {
      if (loaded.get(number) === version) continue;
      const row = await db.segments.get(number);
      if (row === undefined) continue;
      const bytes = await atRest.open(contextOf(number), row.index);
      if (bytes === undefined) continue;
      await engine.load([{ segment: number, count: row.count, json: new TextDecoder().decode(bytes) }]);
      loaded.set(number, row.version);
    }
    return engine;
  }

  async function closeSegment({ segment, count, json }: StoredSegment) {
    return { segment, count, index: await atRest.close(contextOf(segment), ENCODER.encode(json)) };
  }

  /** Messages that the index lacks, with their present text; an entry without a message is to be removed. */
  async function listPending(limit: number): Promise<Pending[]> {
    const withdrawn = await readPendingReindex(db);
    const rows = await rowsWithTodo(db, 'index').reverse().limit(limit).toArray();
    const due = [...withdrawn.map((key) => ({ key })), ...rows.map((row) => ({ row, key: contentKeyOf(row) }))];
    const shown = await readMessages(due.map(({ key }) => key));
    const messages = new Map(shown.map((message) => [messageKey(message), message]));
    return due.map((one) => {
      const message = messages.get(one.key);
      return { ...one, ...(message !== undefined && { message }) };
    });
  }

  async function readMessages(keys: MessageKey[]): Promise<Message[]> {
    const page = await db.transaction('r', pageTables(db), async () => {
      const rows = await db.messages.bulkGet([...new Set(keys)].map(splitKey));
      return readPage(
        db,
        account,
        rows.filter((row): row is MessageRow => row?.slot !== undefined),
      );
    });
    return (await openPage(page, deps.reader)).filter((message) => textOf(message) !== undefined);
  }
}

function toIndexed(message: Message): IndexedMessage[] {
  const text = textOf(message);
  const { chat, at } = message;
  return text === undefined ? [] : [{ id: messageKey(message), chat, at, text }];
}

function textOf({ shows }: Message): string | undefined {
  return shows.state === 'content' ? searchableText(shows.content) : undefined;
}

function isHit(message: Message, words: string[], chat: ChatId | undefined): boolean {
  if (chat !== undefined && message.chat !== chat) return false;
  const forms = splitWords(textOf(message) ?? '').flatMap(foldWord);
  return words.every((word) => foldWord(word).some((wanted) => forms.some((form) => form.startsWith(wanted))));
}

function isSame(one: Uint8Array | undefined, other: Uint8Array | undefined): boolean {
  // The first bytes are random in each encryption.
  return String(one?.subarray(0, 12)) === String(other?.subarray(0, 12));
}

function contextOf(segment: number): string {
  return `search/${segment}`;
}

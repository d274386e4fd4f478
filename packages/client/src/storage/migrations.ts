import type { Dexie, Transaction } from 'dexie';
import type { MessageRow, UploadRow } from './rows.ts';

interface Migration {
  stores: Record<string, string | null>;
  upgrade?: (tx: Transaction) => PromiseLike<unknown>;
}

/**
 * The schema's history: the first entry is version 1. A published entry never changes; a new schema is a new entry, and a
 * device that missed several applies them in order.
 */
export const MIGRATIONS: readonly Migration[] = [
  {
    stores: {
      // [chat+pos] is the timeline; `reading` finds messages that the server lost in a reset.
      messages: '[sender+id], [chat+pos], reading',
      chats: 'chat, pos',
      registers: 'key',
      meta: 'key',
      outbox: 'pos, chat, id',
    },
  },
  {
    stores: {
      // [chat+slot] is the timeline; [chat+kind+pos] the gallery, the pins and the timers; [todo+pos] the pending work.
      messages: '[sender+id], [chat+slot], [chat+kind+pos], [todo+pos], target, sealedAt, expiresAt, reading',
      chats: 'chat, pos, owesRead',
    },
    upgrade: (tx) =>
      tx
        .table<MessageRow>('messages')
        .toCollection()
        .modify((row) => {
          if (row.body === undefined) return;
          row.slot = row.pos;
          row.todo = 'open';
        }),
  },
  // Account data and the search index.
  {
    stores: {
      items: '[doc+item], doc',
      docs: 'doc, key, dirty',
      segments: 'segment',
      chats: 'chat, pos, owesRead, pinned, archived',
    },
  },
  { stores: { users: 'account', pins: 'account', signals: 'key' } },
  { stores: { uploads: 'id, state' } },
  // Files to upload, encrypted; and messages name their files, so that deleting the last one deletes the file.
  {
    stores: {
      messages: '[sender+id], [chat+slot], [chat+kind+pos], [todo+pos], target, sealedAt, expiresAt, reading, *blobs',
      parts: '[upload+chunk]',
      drops: 'blob',
    },
    async upgrade(tx) {
      await tx
        .table<UploadRow & { source?: Blob }>('uploads')
        .toCollection()
        .modify((row) => {
          delete row.source;
          if (row.state === 'running') Object.assign(row, { state: 'failed', error: 'no_source' });
        });
      // The ids of files are encrypted: messages are decoded again, like those of unknown kinds.
      await tx
        .table<MessageRow>('messages')
        .filter(({ kind, content }) => (kind === 'media' || kind === 'voice') && content !== undefined)
        .modify({ todo: 'update' });
    },
  },
  { stores: { receipts: '[chat+kind+upTo]' } },
  // Adds an index that finds decisions about a contact together with the messages to the contact.
  { stores: { outbox: 'pos, chat, id, [chat+kind]' } },
  // The version of a search segment, readable without the segment.
  { stores: { segments: 'segment, [segment+version]' } },
  { stores: { erasures: 'target' } },
];

export function applyMigrations(db: Dexie, migrations: readonly Migration[]): void {
  for (const [index, { stores, upgrade }] of migrations.entries()) {
    const version = db.version(index + 1).stores(stores);
    if (upgrade !== undefined) version.upgrade(upgrade);
  }
}

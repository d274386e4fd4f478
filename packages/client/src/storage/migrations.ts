import type { Dexie, Transaction } from 'dexie';
import type { MessageRow, UploadRow } from './rows.ts';

interface Migration {
  stores: Record<string, string | null>;
  upgrade?: (tx: Transaction) => PromiseLike<unknown>;
}

/**
 * The schema's history: the first is version 1. A published line is never changed; the next shape is the next line,
 * and a device that slept through several takes them in order.
 */
export const MIGRATIONS: readonly Migration[] = [
  {
    stores: {
      // [chat+pos] is the timeline; `reading` finds what a reset left behind.
      messages: '[sender+id], [chat+pos], reading',
      chats: 'chat, pos',
      registers: 'key',
      meta: 'key',
      outbox: 'pos, chat, id',
    },
  },
  {
    stores: {
      // [chat+slot] is the timeline; [chat+kind+pos] the gallery, the pins and the timers; [todo+pos] the work left over.
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
  // Files on their way out lie here encrypted, and messages name their files so that the last one can drop them.
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
      // Which files is under the seal: looked at again as if this app had not known the kind before.
      await tx
        .table<MessageRow>('messages')
        .filter(({ kind, content }) => (kind === 'media' || kind === 'voice') && content !== undefined)
        .modify({ todo: 'update' });
    },
  },
  { stores: { receipts: '[chat+kind+upTo]' } },
  // Decisions about a person are found among the messages to them.
  { stores: { outbox: 'pos, chat, id, [chat+kind]' } },
  // Whether a piece of the search index is new is told without reading the piece.
  { stores: { segments: 'segment, [segment+version]' } },
  { stores: { erasures: 'target' } },
];

export function applyMigrations(db: Dexie, migrations: readonly Migration[]): void {
  for (const [index, { stores, upgrade }] of migrations.entries()) {
    const version = db.version(index + 1).stores(stores);
    if (upgrade !== undefined) version.upgrade(upgrade);
  }
}

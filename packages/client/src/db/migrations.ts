import type { Dexie, Transaction } from 'dexie';

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
];

export function applyMigrations(db: Dexie, migrations: readonly Migration[]): void {
  for (const [index, { stores, upgrade }] of migrations.entries()) {
    const version = db.version(index + 1).stores(stores);
    if (upgrade !== undefined) version.upgrade(upgrade);
  }
}

import type { BlobId } from '@dostar/protocol/contract/blobs';
import { AccountId } from '@dostar/protocol/ids';
import { IDBFactory, IDBKeyRange } from 'fake-indexeddb';
import { expect, test, vi } from 'vitest';
import { createWakeup } from '../lib/wakeup.ts';
import { openDb } from '../storage/open.ts';
import { systemClock } from '../lib/clock.ts';
import { runUploads } from './run-uploads.ts';

const account = AccountId.parse('a11ce000-0000-4000-8000-000000000001');
const id = 'f11e0000-0000-4000-8000-000000000003' as BlobId;

test('a failed write does not end the uploads: a partly staged file fails at the next try', async () => {
  await using stack = new AsyncDisposableStack();
  const db = openDb({ account, indexedDB: new IDBFactory(), IDBKeyRange });
  stack.defer(() => db.close());
  await db.uploads.add({ id, size: 1, state: 'keeping', keptAt: 0, hashes: [], secret: Uint8Array.of(7), at: 0 });
  vi.spyOn(db, 'transaction').mockRejectedValueOnce(new DOMException('no room', 'QuotaExceededError'));

  const stop = new AbortController();
  const log = vi.fn();
  // This test sends nothing, so it needs no other dependencies.
  const deps = { clock: systemClock, random: (size: number) => new Uint8Array(size), log };
  const nudged = createWakeup(systemClock, stop.signal);
  const running = runUploads(db, deps as unknown as Parameters<typeof runUploads>[1], nudged, stop.signal);
  stack.defer(() => running);
  stack.defer(() => stop.abort());
  await vi.waitFor(async () => expect(await db.uploads.get(id)).toMatchObject({ state: 'failed' }), 60_000);
  expect(log).toHaveBeenCalledExactlyOnceWith('uploads failed', expect.anything());
});

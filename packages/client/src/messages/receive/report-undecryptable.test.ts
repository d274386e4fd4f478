import { AccountId } from '@dostar/protocol/ids';
import { IDBFactory, IDBKeyRange } from 'fake-indexeddb';
import { expect, test, vi } from 'vitest';
import { openDb } from '../../storage/open.ts';
import { systemClock } from '../../lib/clock.ts';
import { reportUndecryptableMessages } from './report-undecryptable.ts';

const account = AccountId.parse('a11ce000-0000-4000-8000-000000000001');

test('a failed first read of the database does not end the reports', async () => {
  const db = openDb({ account, indexedDB: new IDBFactory(), IDBKeyRange });
  vi.spyOn(db.messages, 'where').mockImplementationOnce(() => {
    throw new Error('not now');
  });
  const stop = new AbortController();
  const log = vi.fn();
  const looked = vi.fn(async () => stop.abort());
  const deps = { account, baseUrl: 'http://server.test', fetch, clock: { ...systemClock, sleep: looked }, log };
  await reportUndecryptableMessages(db, deps, stop.signal);
  expect(looked).toHaveBeenCalledOnce();
  expect(log).toHaveBeenCalledOnce();
  db.close();
});

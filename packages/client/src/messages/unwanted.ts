/**
 * Messages that were deleted while they were on their way. If one had left, its copy comes back from the server, and is
 * deleted then as the person wanted it; one that had not left never comes.
 */
import { liveQuery } from 'dexie';
import type { Bell } from '../bell.ts';
import { readUnwanted, type Unwanted, writeUnwanted } from '../db/meta.ts';
import type { Db } from '../db/open.ts';
import type { ClientDeps } from '../deps.ts';
import { deleteForMe, takeBack } from './erase.ts';
import type { SendDeps } from './send.ts';

const TRY_AGAIN_MS = 2_000;

type UnwantedDeps = SendDeps & Pick<ClientDeps, 'log'>;

export async function runUnwanted(db: Db, deps: UnwantedDeps, bell: Bell, signal: AbortSignal): Promise<void> {
  const query = liveQuery(() => listReturned(db, deps)).subscribe({
    next: bell.ring,
    error: (error: unknown) => deps.log('deleted messages not watched', { error }),
  });
  while (!signal.aborted) {
    const rings = bell.rings();
    let waitMs: number | undefined;
    try {
      for (const one of await listReturned(db, deps)) await deleteReturned(db, deps, one);
    } catch (error) {
      if (!signal.aborted) deps.log('returned message not deleted', { error });
      waitMs = TRY_AGAIN_MS;
    }
    await bell.wait(rings, waitMs);
  }
  query.unsubscribe();
}

async function listReturned(db: Db, { account }: Pick<ClientDeps, 'account'>): Promise<Unwanted[]> {
  const unwanted = await readUnwanted(db);
  if (unwanted.length === 0) return [];
  const rows = await db.messages.bulkGet(unwanted.map(({ id }): [typeof account, typeof id] => [account, id]));
  return unwanted.filter((_, index) => rows[index]?.status === 'sent');
}

async function deleteReturned(db: Db, deps: UnwantedDeps, { id, everywhere }: Unwanted): Promise<void> {
  const target = { sender: deps.account, id };
  await (everywhere === undefined ? deleteForMe(db, deps, target) : takeBack(db, deps, target, everywhere));
  await db.transaction('rw', [db.meta], async () => {
    await writeUnwanted(
      db,
      (await readUnwanted(db)).filter((one) => one.id !== id),
    );
  });
}

/**
 * Fingerprints that invites named, on their way to the account's trust list. An invite is redeemed before there are keys
 * to ask, so they wait here.
 */
import { liveQuery } from 'dexie';
import type { Bell } from '../bell.ts';
import type { KeyDesk } from '../crypto/key-ring.ts';
import type { Db } from '../db/open.ts';
import type { ClientDeps } from '../deps.ts';

const TRY_AGAIN_MS = 2_000;

/** Before anything is sealed: once a message's key has been shared with an impostor, refusing the message is too late. */
export async function handOverPins(db: Db, ring: Pick<KeyDesk, 'pinIdentity'>): Promise<void> {
  for (const { account, fingerprint } of await db.pins.toArray()) {
    await ring.pinIdentity(account, fingerprint);
    await db.pins.delete(account);
  }
}

export async function runPins(
  db: Db,
  { ring, log }: Pick<ClientDeps, 'log'> & { ring: Pick<KeyDesk, 'pinIdentity'> },
  bell: Bell,
  signal: AbortSignal,
): Promise<void> {
  const waiting = liveQuery(() => db.pins.count()).subscribe(bell.ring);
  while (!signal.aborted) {
    const rings = bell.rings();
    const isDone = await handOverPins(db, ring).then(
      () => true,
      (error: unknown) => {
        log('pins not handed over', { error });
        return false;
      },
    );
    await bell.wait(rings, isDone ? undefined : TRY_AGAIN_MS);
  }
  waiting.unsubscribe();
}

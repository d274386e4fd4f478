/**
 * Opens Amadeus's client: the client of all users, on Node and without UI.
 *
 * Only small data must survive a crash: the session (cookies, account key) and the device's keys, which are written
 * before anything is sent (`openDisk`). Messages are not stored: every start reads them from the server again, and the
 * mailbox shows which questions are answered.
 */
// oxlint-disable-next-line import/no-unassigned-import -- The engine and Dexie read the global object.
import 'fake-indexeddb/auto';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { type Client, createClient, systemClock } from '@dostar/client';
import type { AuthDeps } from '@dostar/client/auth';
import { openDisk } from '@dostar/client/engine-disk';
import { createKeyRing } from '@dostar/client/key-ring';
import { createOpaqueClient } from '@dostar/client/opaque';
import type { AccountId } from '@dostar/protocol/ids';
import type { Settings } from '../settings.ts';
import { openFileKeyStore } from './file-key-store.ts';
import { openAtomicFile } from './atomic-file.ts';
import { signIn } from './sign-in.ts';
import { openTransport } from './transport.ts';

export type Log = (event: string, fields?: Record<string, unknown>) => void;

export interface AssistantClient {
  account: AccountId;
  client: Client;
}

export async function openAssistantClient(settings: Settings, log: Log): Promise<AssistantClient> {
  const { AMADEUS_DATA: folder, AMADEUS_SERVER: server, AMADEUS_SITE: site } = settings;
  const { indexedDB, IDBKeyRange } = globalThis;
  const transport = await openTransport({ server, site, place: openAtomicFile(join(folder, 'cookies')) });
  const keys = await openFileKeyStore(openAtomicFile(join(folder, 'keys')));
  const disk = openDisk(indexedDB, openAtomicFile(join(folder, 'engine')));
  const deps: AuthDeps = { baseUrl: server, fetch: transport.fetch, log, random, opaque: createOpaqueClient(), keys };
  const account = await signIn({
    deps,
    transport,
    email: settings.AMADEUS_EMAIL,
    password: settings.AMADEUS_PASSWORD,
    ticketPath: join(folder, 'ticket'),
  });
  await disk.load();
  const client = createClient({
    account,
    baseUrl: server,
    fetch: transport.fetch,
    openSocket: transport.openSocket,
    locks: undefined,
    log,
    accountKey: () => keys.get(account),
    openKeyRing: () =>
      createKeyRing({
        account,
        baseUrl: server,
        fetch: transport.fetch,
        clock: systemClock,
        random,
        indexedDB,
        IDBKeyRange,
        secrets: keys,
        persist: () => disk.save(),
        log,
      }),
  });
  return { account, client };
}

function random(size: number): Uint8Array<ArrayBuffer> {
  return new Uint8Array(randomBytes(size));
}

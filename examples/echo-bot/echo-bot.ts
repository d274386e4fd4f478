/** Answers every text with the same text. It encrypts like any client, so the server can't read the messages. */
// oxlint-disable-next-line import/no-unassigned-import -- Before the client, which looks for IndexedDB when it is loaded.
import 'fake-indexeddb/auto';
import process from 'node:process';
import { createClient, systemClock } from '@dostar/client';
import { createAuth } from '@dostar/client/auth';
import { createKeyRing } from '@dostar/client/key-ring';
import { createKeyStore } from '@dostar/client/key-store';
import { createOpaqueClient } from '@dostar/client/opaque';
import { until } from '@dostar/client/until';
import { openTransport } from './transport.ts';

const {
  DOSTAR_URL = 'http://127.0.0.1:3000',
  DOSTAR_ORIGIN = DOSTAR_URL,
  BOT_EMAIL = '',
  BOT_PASSWORD = '',
} = process.env;

// Dependencies of all parts of the client. The databases are in memory: after a restart the bot reads its mailbox
// again.
const { indexedDB, IDBKeyRange } = globalThis;
const keys = createKeyStore({ indexedDB, IDBKeyRange });
const random = (size: number) => crypto.getRandomValues(new Uint8Array(size));
const log = (event: string) => console.log(event);
const deps = { baseUrl: DOSTAR_URL, ...openTransport(DOSTAR_ORIGIN), indexedDB, IDBKeyRange, random, log };

const auth = createAuth({ ...deps, opaque: createOpaqueClient(), keys });
const { account } = await auth.signIn(BOT_EMAIL, BOT_PASSWORD);
const client = createClient({
  ...deps,
  account,
  locks: undefined,
  accountKey: () => keys.get(account),
  openKeyRing: () => createKeyRing({ ...deps, account, clock: systemClock, secrets: keys }),
});

/** Ends the session: otherwise it stays in the account's list of devices. */
async function stop(): Promise<void> {
  await client[Symbol.asyncDispose]();
  await auth.signOut(account);
  process.exit();
}
process.once('SIGTERM', () => void stop());

const contacts = client.live.contacts();
contacts.subscribe(() => {
  for (const { id, state } of contacts.getSnapshot() ?? []) if (state === 'asked') void client.contacts.accept(id);
});

await until(client.live.connection(), ({ isCaughtUp }) => isCaughtUp);
log('the bot listens');
for (;;) {
  const chats = await until(client.live.chats(), (all) => all.some(({ unread }) => unread > 0));
  for (const { chat, peer, readUpTo } of chats.filter(({ unread }) => unread > 0)) {
    // A message is `waiting` until its key has arrived and it is decrypted.
    const messages = await until(client.live.timeline(chat, 100), (all) =>
      all.every(({ shows }) => shows.state !== 'waiting'),
    );
    for (const { sender, seq = 0, shows } of messages) {
      if (sender === account || seq <= readUpTo) continue;
      if (peer && shows.state === 'content' && shows.content.kind === 'text')
        await client.sendText({ to: peer, text: shows.content.text });
      await client.markRead(chat, seq);
    }
  }
}

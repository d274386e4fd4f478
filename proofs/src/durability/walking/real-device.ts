// oxlint-disable-next-line import/no-unassigned-import -- Before the client: Dexie looks at the global object once.
import 'fake-indexeddb/auto';
import { createClient } from '@dostar/client';
import { openClearKeyRing } from '@dostar/client/testing';
import { directChat } from '@dostar/protocol/ids';
import { IDBFactory, IDBKeyRange } from 'fake-indexeddb';
import type { Device } from './device.ts';
import type { Person } from './people.ts';
import { readNote, writeNote } from './note.ts';
import { connectPerson, type Wiring } from './wire.ts';

const WHOLE_CHAT = 10_000;

/** The client that runs in a browser, with a database of its own. */
export function startRealDevice(person: Person, wiring: Wiring): Device {
  const { account } = person;
  const client = createClient({
    account,
    baseUrl: wiring.origin,
    ...connectPerson(person, wiring),
    indexedDB: new IDBFactory(),
    IDBKeyRange,
    locks: undefined,
    openKeyRing: openClearKeyRing,
    log(event, fields) {
      if (event === 'conversation ended') wiring.ledger.end(String(fields?.['reason'] ?? fields?.['t']));
    },
  });
  const connection = client.live.connection();
  connection.subscribe(() => {});
  return {
    account,
    isOnline: () => connection.getSnapshot()?.state === 'online',
    async write(to, note) {
      await client.sendText({ to, text: writeNote(note) });
    },
    async readChat(peer) {
      const messages = await client.listHistory({ chat: directChat(account, peer), limit: WHOLE_CHAT });
      return messages.map(({ sender, shows, status }) => {
        const content = shows.state === 'content' ? shows.content : undefined;
        const { number } = readNote(content?.kind === 'text' ? content.text : undefined);
        return { sender, number, isSent: status !== 'sending' && status !== 'failed' };
      });
    },
  };
}

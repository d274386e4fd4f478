import { createClient } from '@dostar/client';
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
      await client.sendMessage({ to, body: writeNote(note) });
    },
    async readChat(peer) {
      const messages = await client.listHistory({ chat: directChat(account, peer), limit: WHOLE_CHAT });
      return messages.map(({ sender, body, status }) => {
        const number = body ? readNote(body).number : Number.NaN;
        return { sender, number, isSent: status !== 'sending' && status !== 'failed' };
      });
    },
  };
}

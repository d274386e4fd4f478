// oxlint-disable-next-line import/no-unassigned-import -- Before the client: Dexie looks at the global object once.
import 'fake-indexeddb/auto';
import { createClient } from '@dostar/client';
import { openClearKeyRing } from '@dostar/client/testing';
import { directChat } from '@dostar/protocol/ids';
import { IDBFactory, IDBKeyRange } from 'fake-indexeddb';
import type { Device } from './device.ts';
import type { Person } from './accounts.ts';
import { readProbe, writeProbe } from './probe.ts';
import { createUnreliableNetwork, type NetworkOptions } from './device-network.ts';

const WHOLE_CHAT = 10_000;

/** The client of browsers, with a database of its own. */
export function startRealDevice(person: Person, networkOptions: NetworkOptions): Device {
  const { account } = person;
  const client = createClient({
    account,
    baseUrl: networkOptions.origin,
    ...createUnreliableNetwork(person, networkOptions),
    indexedDB: new IDBFactory(),
    IDBKeyRange,
    locks: undefined,
    openKeyRing: openClearKeyRing,
    log(event, fields) {
      if (event === 'connection ended') networkOptions.ledger.end(String(fields?.['reason'] ?? fields?.['t']));
    },
  });
  const connection = client.live.connection();
  connection.subscribe(() => {});
  return {
    account,
    isOnline: () => connection.getSnapshot()?.state === 'online',
    async write(to, probe) {
      await client.sendText({ to, text: writeProbe(probe) });
    },
    async readChat(peer) {
      const messages = await client.listHistory({ chat: directChat(account, peer), limit: WHOLE_CHAT });
      return messages.map(({ sender, shows, status }) => {
        const content = shows.state === 'content' ? shows.content : undefined;
        const { number } = readProbe(content?.kind === 'text' ? content.text : undefined);
        return { sender, number, isSent: status !== 'sending' && status !== 'failed' };
      });
    },
  };
}

/** A server that makes false statements about messages that this device has. */
import { type AccountId, directChat, MessageId } from '@dostar/protocol/ids';
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { addDevice, untilTimeline, wordsOf } from './device.ts';
import { createFakeServer } from './fake-server.ts';

test('a message that the server delivers again in another chat stays in its own', async () => {
  const server = createFakeServer();
  const [alice, bob, carol] = [server.addAccount(), server.addAccount(), server.addAccount()].map((one) =>
    addDevice(server, one),
  );
  const chat = directChat(alice!.account, bob!.account);
  const other = directChat(carol!.account, bob!.account);
  await using sender = alice!.start();
  await using receiver = bob!.start();
  const id = await sender.sendText({ to: bob!.account, text: 'I promise to pay 1000' });
  await untilTimeline(receiver, chat, ([word]) => word === 'I promise to pay 1000');
  const log = server.listEntries(bob!.account);
  const genuine = log.find((entry) => entry.id === id)!;
  log.push({ ...genuine, chat: other, seq: log.length + 1 });
  await sender.sendText({ to: bob!.account, text: 'next' });
  const shown = await untilTimeline(receiver, chat, (all) => all.includes('next'));
  expect(wordsOf(shown)).toContain('I promise to pay 1000');
});

test.each(['their author', 'this account'])(
  'the server alone takes away no message that was seen: in the name of %s',
  async (whose) => {
    const server = createFakeServer();
    const [alice, bob] = [addDevice(server, server.addAccount()), addDevice(server, server.addAccount())];
    const chat = directChat(alice.account, bob.account);
    await using sender = alice.start();
    await using receiver = bob.start();
    const id = await sender.sendText({ to: bob.account, text: 'I promise to pay 1000' });
    await untilTimeline(receiver, chat, ([word]) => word === 'I promise to pay 1000');
    const log = server.listEntries(bob.account);
    eraseFor(log, { by: whose === 'this account' ? bob.account : alice.account, sender: alice.account, id });
    await sender.sendText({ to: bob.account, text: 'next' });
    const shown = await untilTimeline(receiver, chat, (all) => all.includes('next'));
    expect(wordsOf(shown)).toEqual(['I promise to pay 1000', 'next']);

    /** Deletes the body and adds an erasure entry without a client's request. */
    function eraseFor(entries: typeof log, what: { by: AccountId; sender: AccountId; id: MessageId }): void {
      const erases = { sender: what.sender, id: what.id };
      const erasure = MessageId.parse(randomUUID());
      for (const entry of entries) if (entry.kind === 'mail' && entry.id === what.id) delete entry.body;
      entries.push({
        kind: 'erasure',
        sender: what.by,
        id: erasure,
        chat,
        at: Date.now(),
        seq: entries.length + 1,
        erases,
      });
    }
  },
);

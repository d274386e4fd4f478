import { directChat } from '@dostar/protocol/ids';
import { expect, test, vi } from 'vitest';
import { addDevice, clock, until, untilTimeline, wordsOf } from './device.ts';
import { createFakeServer } from './fake-server.ts';

// On the test's clock a minute takes three tenths of a second.
const TIMER = 120;
/** Long enough for a busy machine to react to a message before it is gone. */
const LONG_TIMER = 600;

test("E7: a message goes from its author's devices a while after sending, from the reader's a while after reading", async () => {
  const { server, alice, bob, chat } = setUp();
  await using sender = alice.start();
  await using receiver = bob.start();
  await sender.setTimer({ to: bob.account, seconds: LONG_TIMER });
  await until(receiver.live.timer(chat), (seconds) => seconds === LONG_TIMER);
  const id = await sender.sendText({ to: bob.account, text: 'for a while' });
  await untilTimeline(receiver, chat, ([, word]) => word === 'for a while');
  await sender.react({ to: bob.account, target: { sender: alice.account, id }, emoji: '👍' });

  await untilTimeline(sender, chat, (words) => words.length === 1);
  expect(wordsOf(await receiver.listHistory({ chat }))).toContain('for a while');
  await receiver.markRead(chat, 2);
  await untilTimeline(receiver, chat, (words) => words.length === 1);
  for (const { account } of [alice, bob]) {
    await vi.waitFor(() => {
      const messages = server.listEntries(account).filter(({ kind }) => kind === 'mail');
      expect(messages.map((entry) => 'body' in entry && entry.body !== undefined)).toEqual([true, false, false]);
    }, 60_000);
  }
});

test('a message that another device of the account has read disappears here too', async () => {
  const { server, alice, bob, chat } = setUp();
  const laptop = addDevice(server, bob.account);
  await using sender = alice.start();
  await using reader = bob.start();
  await using other = laptop.start();
  await sender.sendMessage({ to: bob.account, content: { kind: 'text', text: 'short' }, expiresIn: TIMER });
  for (const client of [reader, other]) await untilTimeline(client, chat, ([word]) => word === 'short');
  await reader.markRead(chat, 1);
  for (const client of [reader, other]) await untilTimeline(client, chat, (words) => words.length === 0);
});

test('messages also expire while no tab is open, and the timer can be switched off again', async () => {
  const { alice, bob, chat } = setUp();
  {
    await using closed = alice.start();
    await closed.setTimer({ to: bob.account, seconds: TIMER });
    await closed.sendText({ to: bob.account, text: 'soon gone' });
    await until(
      closed.live.timeline(chat, 9),
      (all) => all.length === 2 && all.every(({ status }) => status === 'sent'),
    );
    await closed.setTimer({ to: bob.account, seconds: 0 });
    await closed.sendText({ to: bob.account, text: 'stays' });
  }
  await new Promise((resolve) => setTimeout(resolve, 700));
  await using opened = alice.start();
  const all = await untilTimeline(opened, chat, (words) => words.length === 3 && words[2] === 'stays');
  expect(wordsOf(all)).toEqual(['(timer)', '(timer)', 'stays']);
});

function setUp() {
  // Timers count from the server's time, which has to run as fast as the devices' clock.
  const server = createFakeServer(() => clock.now());
  const [alice, bob] = [addDevice(server, server.addAccount()), addDevice(server, server.addAccount())];
  return { server, alice, bob, chat: directChat(alice.account, bob.account) };
}

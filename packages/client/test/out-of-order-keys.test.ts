/** Messages arrive in the order of the log, but are decrypted in the order in which their keys arrive. */
import type { Client, Message } from '@dostar/client';
import type { Target } from '@dostar/protocol/content/kinds';
import { directChat } from '@dostar/protocol/ids';
import * as fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { addDevice, until } from './device.ts';
import { createFakeKeys } from './fake-key-ring.ts';
import { createFakeServer } from './fake-server.ts';

const act = fc.oneof(
  { weight: 3, arbitrary: fc.constant({ act: 'say' as const, about: 0 }) },
  { weight: 2, arbitrary: fc.record({ act: fc.constant('edit' as const), about: fc.nat(3) }) },
  { weight: 2, arbitrary: fc.record({ act: fc.constant('react' as const), about: fc.nat(3) }) },
  { weight: 1, arbitrary: fc.record({ act: fc.constant('pin' as const), about: fc.nat(3) }) },
  { weight: 1, arbitrary: fc.record({ act: fc.constant('delete' as const), about: fc.nat(3) }) },
  { weight: 1, arbitrary: fc.record({ act: fc.constant('timer' as const), about: fc.nat(3) }) },
);

test('E6: both sides end with the same chat, in whatever order keys arrive', async () => {
  const plan = fc.tuple(fc.array(act, { minLength: 2, maxLength: 10 }), fc.infiniteStream(fc.nat()));
  await fc.assert(
    fc.asyncProperty(plan, async ([acts, chance]) => {
      const server = createFakeServer();
      const [alice, bob] = [addDevice(server, server.addAccount()), addDevice(server, server.addAccount())];
      const chat = directChat(alice.account, bob.account);
      const keys = createFakeKeys((number) => `stream ${number}`);
      for (let number = 1; number <= acts.length + 1; number += 1) keys.missing.add(`stream ${number}`);
      await using writer = alice.start(keys);
      await using reader = bob.start(keys);
      await write(writer, acts);
      const written = await settled(writer);

      const streams = [...keys.missing];
      while (streams.length > 0) {
        const [stream] = streams.splice((chance.next().value ?? 0) % streams.length, 1);
        keys.missing.delete(stream!);
        keys.arrive([{ chat, session: stream! }]);
        await new Promise((resolve) => setTimeout(resolve, (chance.next().value ?? 0) % 4));
      }
      await vi.waitFor(async () => expect(await look(reader)).toEqual(written), 60_000);

      async function write(client: Client, all: typeof acts): Promise<void> {
        const to = bob.account;
        const targets: Target[] = [{ sender: alice.account, id: await client.sendText({ to, text: 'first' }) }];
        for (const [index, { act: what, about }] of all.entries()) {
          const target = targets[about % targets.length]!;
          if (what === 'say') {
            const id = await client.sendText({ to, text: `word ${index}`, replyTo: target });
            targets.push({ sender: alice.account, id });
          } else if (what === 'edit') await client.editText({ to, target, text: `edit ${index}` });
          else if (what === 'react') await client.react({ to, target, emoji: ['👍', '❤️', null][about % 3]! });
          else if (what === 'pin') await client.pin({ to, target, isPinned: about % 2 === 0 });
          else if (what === 'timer') await client.setTimer({ to, seconds: 0 });
          else {
            await settled(client);
            await client.deleteForEveryone(target);
          }
        }
      }

      async function settled(client: Client) {
        await vi.waitFor(async () => {
          const log = server.listEntries(alice.account);
          const all = await until(client.live.timeline(chat, 99), () => true);
          expect(log.length).toBeGreaterThan(0);
          expect(all.every(({ status }) => status !== 'sending')).toBe(true);
          expect(await until(client.live.outbox(), () => true)).toBe(0);
        }, 60_000);
        return look(client);
      }

      async function look(client: Client) {
        const all = await until(client.live.timeline(chat, 99), () => true);
        return all.map(toPlain);
      }
    }),
    { numRuns: 12, endOnFailure: true },
  );
});

/** What both sides must agree on; numbers and statuses differ. */
function toPlain({ id, shows, reactions, isPinned, editedAt, quote }: Message) {
  return { id, shows, reactions, isPinned, editedAt, quote: quote?.shows };
}

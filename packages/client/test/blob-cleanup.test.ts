import type { Client, Clock } from '@dostar/client';
import type { MediaReference } from '@dostar/protocol/content/media';
import { deleteBlob, shareBlobs } from '@dostar/protocol/contract/blobs';
import { DONE } from '@dostar/protocol/contract/done';
import { type AccountId, directChat } from '@dostar/protocol/ids';
import { expect, test, vi } from 'vitest';
import { addDevice, clock, until } from './device.ts';
import { createFakeKeys } from './fake-key-ring.ts';
import { createFakeServer } from './fake-server.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

test('F4: files are dropped although an old message stays undecryptable', async () => {
  const { open, send, dropped } = await setUp({ closedSince: 21 * DAY_MS });
  await using client = open();
  const blob = await send(client);
  await vi.waitFor(() => expect(dropped).toEqual([blob]), 60_000);
});

test('F4: files stay while the client searches for the key of an old message, and are dropped afterwards', async () => {
  const { open, send, dropped, keys, lookAgain } = await setUp({ closedSince: 21 * DAY_MS });
  keys.isSeeking = true;
  await using client = open();
  const blob = await send(client);
  await lookAgain();
  expect(dropped).toEqual([]);
  keys.isSeeking = false;
  await lookAgain();
  expect(dropped).toEqual([blob]);
});

test('F4: files stay while a recent message is undecryptable, and are dropped after a week', async () => {
  const { open, send, dropped, time, lookAgain } = await setUp({ closedSince: DAY_MS });
  await using client = open();
  const blob = await send(client);
  await lookAgain();
  expect(dropped).toEqual([]);
  time.ahead = 7 * DAY_MS;
  await lookAgain();
  expect(dropped).toEqual([blob]);
});

/** Alice has a message from Bob whose key never arrives. */
async function setUp({ closedSince }: { closedSince: number }) {
  const time = { ahead: -closedSince };
  const server = createFakeServer(() => clock.now() + time.ahead);
  const [alice, bob] = [addDevice(server, server.addAccount()), addDevice(server, server.addAccount())];
  const chat = directChat(alice.account, bob.account);
  const fake = createFakeKeys((number) => `stream ${number}`);
  const keys = { isSeeking: false };
  fake.missing.add('stream 1');
  {
    await using sender = bob.start(fake);
    await sender.sendText({ to: alice.account, text: 'closed' });
    await until(sender.live.outbox(), (count) => count === 0);
  }
  time.ahead = 0;
  const { held, lookAgain } = createManualClock(time);
  const dropped: string[] = [];
  return { open, send, dropped, keys, time, lookAgain };

  function open(): Client {
    return alice.start({
      clock: held,
      fetch: callFiles,
      openKeyRing() {
        const keyRing = fake.openKeyRing();
        return { ...keyRing, counts: async () => ({ ...(await keyRing.counts()), isSeeking: keys.isSeeking }) };
      },
    });
  }

  /** Sends a message with a file, deletes it for everyone and returns the blob. */
  async function send(client: Client): Promise<string> {
    await until(client.live.progress(), ({ waiting }) => waiting === 1);
    const target = await sendPicture(client, bob.account);
    await until(client.live.timeline(chat, 9), (all) => all.length === 2 && all[1]?.status === 'sent');
    await client.deleteForEveryone({ sender: alice.account, id: target.id });
    await until(client.live.outbox(), (count) => count === 0);
    return target.blob;
  }

  /** Answers calls about files, which the fake server does not have. */
  async function callFiles(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
    const { pathname } = new URL(input instanceof Request ? input.url : input);
    if (pathname === shareBlobs.path) return Response.json(DONE);
    if (pathname !== deleteBlob.path) return alice.line.fetch(input, init);
    dropped.push((JSON.parse(init?.body as string) as { id: string }).id);
    return Response.json(DONE);
  }
}

async function sendPicture(client: Client, to: AccountId) {
  const blob = crypto.randomUUID();
  const media: MediaReference = {
    blob,
    key: 'k'.repeat(43),
    iv: 'i'.repeat(22),
    hashes: ['h'.repeat(43)],
    size: 1,
    type: 'image/png',
    name: 'a.png',
  };
  return { blob, id: await client.sendMessage({ to, content: { kind: 'media', media } }) };
}

/** A clock whose hours pass on request, and that can be set ahead. */
function createManualClock(time: { ahead: number }) {
  let wake: (() => void) | undefined;
  const held: Clock = {
    now: () => clock.now() + time.ahead,
    sleep: (ms, signal) =>
      ms === HOUR_MS
        ? new Promise((resolve) => {
            wake = resolve;
            signal.addEventListener('abort', () => {
              if (wake === resolve) wake = undefined;
              resolve();
            });
          })
        : clock.sleep(ms, signal),
  };
  return {
    held,
    /** Runs one cleanup from beginning to end. */
    async lookAgain(): Promise<void> {
      await expect.poll(() => wake).toBeDefined();
      const begin = wake!;
      wake = undefined;
      begin();
      await expect.poll(() => wake).toBeDefined();
    },
  };
}

/**
 * Random histories on a bad network: cuts, lost requests and answers, temporary refusals, repeats, gaps, crashes and a
 * server restored from a backup. After all faults every message has arrived once.
 *
 * @module-tag gate: Hundreds of random faults: half a minute.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Client } from '@dostar/client';
import { decodeContent } from '@dostar/protocol/content/codec';
import { type AccountId, type ChatId, directChat } from '@dostar/protocol/ids';
import type { Entry } from '@dostar/protocol/mailbox';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { addDevice, wordsOf } from './device.ts';
import { createFakeServer } from './fake-server.ts';

const PEOPLE = 3;
/** The first person has two devices. */
const DEVICES = 4;

const device = fc.nat(DEVICES - 1);
const person = fc.nat(PEOPLE - 1);
const fault = fc.constantFrom(
  'request_lost',
  'answer_lost',
  'unavailable',
  'rate_limited',
  'internal',
  'stale_devices',
);

const weather = [
  { weight: 8, arbitrary: fc.record({ act: fc.constant('send'), device, to: person }) },
  {
    weight: 3,
    arbitrary: fc.record({ act: fc.constant('react'), device, to: person, emoji: fc.constantFrom('👍', '❤️', null) }),
  },
  { weight: 4, arbitrary: fc.record({ act: fc.constant('fault'), fault }) },
  { weight: 2, arbitrary: fc.record({ act: fc.constant('cut'), device }) },
  { weight: 1, arbitrary: fc.record({ act: fc.constant('toggle'), device }) },
  { weight: 2, arbitrary: fc.record({ act: fc.constant('crash'), device }) },
  { weight: 1, arbitrary: fc.record({ act: fc.constant('repeat') }) },
  { weight: 1, arbitrary: fc.record({ act: fc.constant('skip') }) },
  { weight: 4, arbitrary: fc.record({ act: fc.constant('pause'), ms: fc.nat(8) }) },
] as const;
const restore = {
  weight: 1,
  arbitrary: fc.record({
    act: fc.constant('restore'),
    kept: fc.constantFrom(0, 0.3, 0.9),
    areSocketsCut: fc.boolean(),
  }),
} as const;

const storm = fc.array(fc.oneof(...weather), { minLength: 5, maxLength: 40 });
const stormWithRestores = fc.array(fc.oneof(...weather, restore), { minLength: 5, maxLength: 40 });
type Act = (typeof stormWithRestores extends fc.Arbitrary<infer T> ? T : never)[number];

test('S2, S8, R2, R3, C2: nothing is lost, doubled or reordered, and one send per chat is in flight', async () => {
  await fc.assert(fc.asyncProperty(storm, weatherStorm), { numRuns: 40, endOnFailure: true });
}, 300_000);

// Nightly: more random histories. `./dev prove restore` restores a real server.
test(
  'C3: nor is anything lost or doubled when the server comes back from a backup',
  { tags: ['nightly'], timeout: 300_000 },
  async () => {
    await fc.assert(fc.asyncProperty(stormWithRestores, weatherStorm), { numRuns: 40, endOnFailure: true });
  },
);

async function weatherStorm(acts: Act[]): Promise<void> {
  const server = createFakeServer();
  const people = Array.from({ length: PEOPLE }, () => server.addAccount());
  const devices = [people[0]!, ...people].map((account) => addDevice(server, account));
  const clients: Client[] = devices.map((one) => one.start());
  const written: { by: number; between: AccountId[]; chat: ChatId; word: string }[] = [];

  try {
    for (const [index, act] of acts.entries()) await perform(act, `word ${index}`);
    server.faults.length = 0;
    for (const { line } of devices) line.isDown = false;
    await Promise.all(clients.map((client) => client.nudge()));
    await checkEverybody();
  } finally {
    await Promise.all(clients.map((client) => client[Symbol.asyncDispose]()));
  }

  async function perform(act: Act, word: string): Promise<void> {
    switch (act.act) {
      case 'send': {
        const to = people[act.to]!;
        await clients[act.device]!.sendText({ to, text: word });
        const from = devices[act.device]!.account;
        written.push({ by: act.device, between: [from, to], chat: directChat(from, to), word });
        return;
      }
      case 'react': {
        const to = people[act.to]!;
        const client = clients[act.device]!;
        const [target] = await client.listHistory({ chat: directChat(devices[act.device]!.account, to) });
        if (target !== undefined) await client.react({ to, target, emoji: act.emoji });
        return;
      }
      case 'fault':
        return void server.faults.push(act.fault);
      case 'cut':
        return devices[act.device]!.line.cut();
      case 'toggle': {
        const { line } = devices[act.device]!;
        line.isDown = !line.isDown;
        return;
      }
      case 'crash':
        devices[act.device]!.line.cut();
        await clients[act.device]![Symbol.asyncDispose]();
        clients[act.device] = devices[act.device]!.start();
        return;
      case 'repeat':
        return server.repeatLast();
      case 'skip':
        return server.skipOne();
      case 'restore':
        return server.restore(act.kept, { areSocketsCut: act.areSocketsCut });
      case 'pause':
        await new Promise((resolve) => setTimeout(resolve, act.ms));
    }
  }

  async function checkEverybody(): Promise<void> {
    for (const [index, { account }] of devices.entries()) {
      for (const other of people) await checkChat(clients[index]!, account, directChat(account, other));
    }
    for (const one of people) for (const other of people) await checkReactions(directChat(one, other), [one, other]);
    expect(server.overlaps).toBe(0);
  }

  /** E6: all members of the chat finally see the same reactions. */
  async function checkReactions(chat: ChatId, between: AccountId[]): Promise<void> {
    const here = clients.filter((_, index) => between.includes(devices[index]!.account));
    for (const start = performance.now(); ;) {
      const views = await Promise.all(here.map((client) => client.listHistory({ chat, limit: 100 })));
      const [first, ...others] = views.map((all) => all.map(({ id, reactions }) => ({ id, reactions })).toSorted(byId));
      if (others.every((view) => isDeepStrictEqual(view, first))) return;
      if (performance.now() - start > 5_000) expect(others).toEqual(others.map(() => first));
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }

  async function checkChat(client: Client, owner: AccountId, chat: ChatId): Promise<void> {
    const expected = written.filter((one) => one.chat === chat && one.between.includes(owner));
    const words = await settledWords(client, owner, chat, expected.length);
    expect(words.toSorted()).toEqual(expected.map(({ word }) => word).toSorted());
    if (acts.some(({ act }) => act === 'restore')) return;
    for (const by of devices.keys()) {
      const own = expected.filter((one) => one.by === by).map(({ word }) => word);
      expect(words.filter((word) => own.includes(word))).toEqual(own);
    }
  }

  /** Waits until the chat has `count` messages, none is being sent, and client and server show the same. */
  async function settledWords(client: Client, owner: AccountId, chat: ChatId, count: number): Promise<string[]> {
    for (const start = performance.now(); ;) {
      const messages = await client.listHistory({ chat, limit: 100 });
      const words = wordsOf(messages);
      const here = messages.map(({ status }, index) => (status === 'sending' ? 'sending' : words[index]!));
      const there = server
        .listEntries(owner)
        .filter((one) => one.chat === chat)
        .map(wordOf)
        .filter((word) => word !== undefined);
      if (here.length >= count && isDeepStrictEqual(here, there)) return here;
      if (performance.now() - start > 5_000) throw new Error(`never settles: ${JSON.stringify({ here, there })}`);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }
}

/** Undefined for entries that are not shown as a message. */
function wordOf(entry: Entry): string | undefined {
  const decoded = decodeContent(entry, Buffer.from(entry.kind === 'mail' ? (entry.body ?? '') : '', 'base64url'));
  return decoded.state === 'known' && decoded.content.kind === 'text' ? decoded.content.text : undefined;
}

function byId(one: { id: string }, other: { id: string }): number {
  return one.id < other.id ? -1 : 1;
}

/** Entries that the gateway keeps in memory for devices that read slowly. */
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { randomBody, startTestCluster } from './test-cluster.ts';
import type { TestCluster } from './test-cluster.ts';

let cluster: TestCluster;
beforeAll(async () => {
  cluster = await startTestCluster({ postgresUrl: inject('postgresUrl'), natsUrl: inject('natsUrl') });
});
afterAll(() => cluster[Symbol.asyncDispose]());

async function countHeldFrames(): Promise<number> {
  const { values } = await cluster.ctx.metrics.bufferedFrames.get();
  return values[0]?.value ?? 0;
}

test('B1: an entry is kept in memory only until it was sent to the last connected device', async () => {
  const [alice, bob] = await cluster.addFriends();
  using phone = await cluster.resume(bob);
  using laptop = await cluster.resume(await cluster.addDevice(bob));
  for (let n = 0; n < 60; n += 1) await cluster.send(alice, bob, String(n));
  await phone.until(() => phone.entries().length === 60, 'all on the phone');
  await laptop.until(() => laptop.entries().length === 60, 'all on the laptop');
  await expect.poll(countHeldFrames).toBe(0);

  laptop.ws.pause();
  const body = randomBody(48 * 1024);
  for (let n = 0; n < 60; n += 1) await cluster.send(alice, bob, body);
  await phone.until(() => phone.entries().length === 120, 'the rest on the phone');
  await expect.poll(countHeldFrames).toBeGreaterThan(0);
  laptop.ws.resume();
  await laptop.until(() => laptop.entries().length === 120, 'the rest on the laptop');
  expect(laptop.seqs()).toEqual(Array.from({ length: 120 }, (_, n) => n + 1));
  await expect.poll(countHeldFrames).toBe(0);
});

test('B1: entries kept for a device are dropped when it disconnects, and it gets all of them when it returns', async () => {
  const [alice, bob] = await cluster.addFriends();
  using phone = await cluster.resume(bob);
  const tablet = await cluster.addDevice(bob);
  const body = randomBody(48 * 1024);
  {
    using gone = await cluster.resume(tablet);
    gone.ws.pause();
    for (let n = 0; n < 60; n += 1) await cluster.send(alice, bob, body);
    await phone.until(() => phone.entries().length === 60, 'all on the phone');
    await expect.poll(countHeldFrames).toBeGreaterThan(0);
  }
  await expect.poll(countHeldFrames).toBe(0);
  await cluster.send(alice, bob, 'while it was away');
  using back = await cluster.resume(tablet, { epoch: 1, seq: 2, rev: 0 });
  await cluster.send(alice, bob, 'when it was back');
  await back.until(() => back.entries().length === 60, 'the rest on the tablet');
  expect(back.seqs()).toEqual(Array.from({ length: 60 }, (_, n) => n + 3));
  await expect.poll(countHeldFrames).toBe(0);
});

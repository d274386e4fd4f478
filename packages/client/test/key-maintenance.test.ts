import { expect, test } from 'vitest';
import { createKeyServer } from './fake-key-server.ts';
import { makeOwner, openBrowser } from './key-ring-browsers.ts';

test('a locked device with a waiting message makes no calls until it is nudged', async () => {
  const server = createKeyServer();
  const [alice, bob] = [makeOwner(), makeOwner()];
  await using phone = await openBrowser(server, alice);
  await using laptop = await openBrowser(server, bob);
  const message = await laptop.say(alice.account, 'hello');
  await using locked = await openBrowser(server, alice, { isLocked: true });
  await locked.settle();
  expect(await locked.read(message)).toEqual({ state: 'waiting', reason: 'locked' });
  await phone.settle();
  // Calls that had begun before may still end.
  await expect.poll(isSilent, { timeout: 60_000, interval: 0 }).toBe(true);

  await locked.secrets.put(alice.account, alice.key);
  locked.keyRing.nudge();
  await expect.poll(() => locked.logs).toContain('device unlocked');

  async function isSilent(): Promise<boolean> {
    const [calls, sleeps] = [countCalls(), locked.sleeps];
    await new Promise((resolve) => setTimeout(resolve, 700));
    return countCalls() === calls && locked.sleeps - sleeps < 3;
  }

  function countCalls(): number {
    return [...server.calls.values()].reduce((sum, count) => sum + count, 0);
  }
});

test('while the backup is unreachable a device waits between its attempts', async () => {
  const server = createKeyServer();
  const [alice, bob] = [makeOwner(), makeOwner()];
  await using phone = await openBrowser(server, alice);
  await using laptop = await openBrowser(server, bob);
  const messages = [await laptop.say(alice.account, 'hello')];
  let tries = 0;
  server.onCall = (path) => {
    if (path !== '/api/backup/keys/get') return;
    tries += 1;
    throw new Error('no network');
  };
  for (const message of messages) await phone.read(message);
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  expect(tries).toBeLessThan(20);
});

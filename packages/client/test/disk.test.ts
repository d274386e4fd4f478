import { existsSync } from 'node:fs';
import { mkdtemp, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import { openDisk } from '@dostar/client/engine-disk';
import { IDBFactory } from 'fake-indexeddb';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { createKeyServer } from './fake-key-server.ts';
import { makeOwner, openBrowser, untilOpen, wordsOf } from './key-ring-browsers.ts';

afterEach(() => vi.unstubAllGlobals());

test('a client on Node that is killed and restarted is the same device, and continues to read and write', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'dostar-disk-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const path = join(folder, 'keys');
  const server = createKeyServer();
  const [bot, bob] = [makeOwner(), makeOwner()];
  await using laptop = await openBrowser(server, bob);

  const first = new IDBFactory();
  vi.stubGlobal('indexedDB', first);
  const disk = openDisk(first, placeAt(path));
  const before = await openBrowser(server, bot, { disk: first, persist: () => disk.save() });
  const one = await before.say(bob.account, 'the first words');
  const device = before.session.device;
  const fingerprint = server.account(bot.account).devices.get(device)!.keys.keys;

  // Simulates a kill: the memory is lost, and everything that others were told is on the disk.
  const second = new IDBFactory();
  vi.stubGlobal('indexedDB', second);
  const reopened = openDisk(second, placeAt(path));
  await reopened.load();
  const { secrets } = before;
  await using after = await openBrowser(server, bot, {
    session: before.session,
    disk: second,
    secrets,
    persist: () => reopened.save(),
  });
  expect(after.session.device).toBe(device);
  expect(server.account(bot.account).devices.get(device)!.keys.keys).toEqual(fingerprint);
  const two = await after.say(bob.account, 'two');
  await laptop.settle();
  const opened = [await untilOpen(laptop, one), await untilOpen(laptop, two)];
  expect(opened.map(wordsOf)).toEqual(['the first words', 'two']);
  // No index of a session is used twice.
  const places = opened.map((message) => (message.state === 'open' ? `${message.session}/${message.index}` : ''));
  expect(new Set(places).size).toBe(2);
  const answer = await laptop.say(bot.account, 'three');
  await after.settle();
  expect(wordsOf(await untilOpen(after, answer))).toBe('three');
  expect(await readdir(folder)).toEqual(['keys']);
  expect((await readFile(path)).includes(Buffer.from('the first words'))).toBe(false);
});

/** A file that is replaced atomically, and flushed to disk before the rename. */
function placeAt(path: string) {
  return {
    read: async (): Promise<unknown> => (existsSync(path) ? deserialize(await readFile(path)) : undefined),
    async write(value: unknown): Promise<void> {
      await using file = await open(`${path}.new`, 'w', 0o600);
      await file.writeFile(serialize(value));
      await file.sync();
      await rename(`${path}.new`, path);
    },
  };
}

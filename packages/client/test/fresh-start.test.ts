/**
 * A fresh start in a new browser, while a browser with the old account key is still signed in.
 *
 * @module-tag gate: Each test starts whole clients.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import { AccountId } from '@dostar/protocol/ids';
import { expect, test } from 'vitest';
import { createKeyServer } from './fake-key-server.ts';
import { type Browser, makeOwner, openBrowser } from './key-ring-browsers.ts';

test.each(['before', 'during', 'after'])(
  'an old browser that decides something %s the fresh start does not spoil the new trust list',
  async (moment) => {
    const server = createKeyServer();
    const [alice, bob] = [makeOwner(), makeOwner()];
    await using _phone = await openBrowser(server, alice);
    await using old = await openBrowser(server, bob);
    const state = server.account(bob.account);
    await old.keyRing.refreshDevices([alice.account]);
    await expect.poll(async () => (await old.settle(), state.trust?.rev)).toBeGreaterThan(0);

    // The server archives the vault when its owner starts fresh.
    const { trust } = state;
    delete state.vault;
    delete state.trust;
    if (moment === 'before') await decide(old);
    // The old browser's write arrived before it could know of the fresh start.
    if (moment === 'during' && trust !== undefined) state.trust = { ...trust, rev: 1 };
    const renewed = { ...bob, key: new Uint8Array(randomBytes(32)) };
    await using fresh = await openBrowser(server, renewed);
    await fresh.keyRing.refreshDevices([alice.account]);
    if (moment === 'after') {
      await expect.poll(async () => (await fresh.settle(), state.trust?.rev)).toBeGreaterThan(0);
      await decide(old);
      await decide(fresh);
    }
    await expectKnown(fresh, alice.account);

    // A later browser decrypts the list, and no browser rewrites it repeatedly.
    await using later = await openBrowser(server, renewed);
    await later.keyRing.refreshDevices([alice.account]);
    await expectKnown(later, alice.account);
    const settle = async () => {
      for (const one of [old, fresh, later]) await one.settle();
      return state.trust?.rev;
    };
    // A browser stores the list after a while: its key maintenance runs beside the connection.
    let rev: number | undefined;
    const isStored = async () => {
      const before = rev;
      rev = await settle();
      return rev !== undefined && rev === before;
    };
    await expect.poll(isStored).toBe(true);
    for (let turn = 0; turn < 3; turn += 1) expect(await settle()).toBe(rev);
  },
);

/** Pins a key as an invite does, which has to be written into the trust list. */
async function decide(browser: Browser): Promise<void> {
  await browser.keyRing.pinIdentity(AccountId.parse(randomUUID()), 'the fingerprint of a key');
  for (let turn = 0; turn < 3; turn += 1) await browser.settle();
}

/** Until a browser has compared the server's trust list with its own, all identities count as changed. */
async function expectKnown(browser: Browser, account: AccountId): Promise<void> {
  await expect.poll(async () => (await browser.settle(), browser.keyRing.identityOf(account))).toBe('known');
}

/**
 * Attacks on the account's vault and backup with a stolen session but without the account key, and their repair.
 *
 * @module-tag gate: Each attack starts whole clients.
 */
import { type BackupEntry, putBackupKeys } from '@dostar/protocol/contract/key-backup';
import { putVault } from '@dostar/protocol/contract/vault';
import { roomOf } from '@dostar/protocol/matrix-ids';
import { expect, test } from 'vitest';
import { createKeyServer } from './fake-key-server.ts';
import { makeOwner, openBrowser, settleAll, untilOpen, wordsOf } from './key-ring-browsers.ts';

test('an overwritten vault is restored once the owner has re-authenticated', async () => {
  const { server, alice, phone, laptop } = await setUp();
  const state = server.account(alice.account);
  await phone[Symbol.asyncDispose]();
  await overwrite();
  await overwrite();
  await using again = await openBrowser(server, alice, { session: phone.session, disk: phone.disk });
  expect(again.logs).toContain('device locked');
  expect(await again.keyRing.isVaultOverwritten()).toBe(true);
  await expect(again.keyRing.restoreVault()).rejects.toMatchObject({ code: 'reauthenticate' });

  state.isProven = true;
  await again.keyRing.restoreVault();
  expect(await again.keyRing.isVaultOverwritten()).toBe(false);
  const message = await again.say(laptop.session.account, 'here again');
  await laptop.settle();
  expect(wordsOf(await untilOpen(laptop, message))).toBe('here again');

  async function overwrite(): Promise<void> {
    const { rev } = state.vault!;
    const thief = server.connect(alice.account);
    const body = { kind: 'secrets', rev, blob: 'dGhpZWYgdGhpZWYgdGhpZWYgdGhpZWY' };
    await thief.fetch(`http://server.test${putVault.path}`, { method: 'POST', body: JSON.stringify(body) });
    expect(state.vault!.rev).toBe(rev + 1);
  }
});

test('a browser that has just signed in restores vault and trust list by itself', async () => {
  const { server, alice, phone, laptop } = await setUp();
  const message = await laptop.say(alice.account, 'hello');
  await phone.settle();
  await untilOpen(phone, message);
  const state = server.account(alice.account);
  await expect.poll(() => state.trust?.rev).toBeGreaterThan(0);
  await phone[Symbol.asyncDispose]();
  for (const [kind, vault] of [
    ['secrets', state.vault!],
    ['trust', state.trust!],
  ] as const) {
    state.replaced.unshift({ kind, ...vault, replacedAt: state.replaced.length });
    Object.assign(vault, { rev: vault.rev + 1, blob: 'dGhpZWYgdGhpZWYgdGhpZWYgdGhpZWY' });
  }
  state.isProven = true;
  await using fresh = await openBrowser(server, alice);
  expect(wordsOf(await untilOpen(fresh, message))).toBe('hello');
  expect(await fresh.keyRing.identityOf(laptop.session.account)).toBe('known');
  expect(fresh.logs).not.toContain('trust list behind');
});

test('a revision older than one that this browser has opened is not restored', async () => {
  const { server, alice, phone } = await setUp();
  const state = server.account(alice.account);
  const first = { ...state.vault! };
  await phone.keyRing.startFresh();
  await phone[Symbol.asyncDispose]();
  state.vault = { rev: state.vault!.rev + 1, blob: 'dGhpZWYgdGhpZWYgdGhpZWYgdGhpZWY' };
  state.replaced = [{ kind: 'secrets', ...first, replacedAt: 1 }];
  state.isProven = true;
  await using again = await openBrowser(server, alice, { session: phone.session, disk: phone.disk });
  expect(again.logs).toContain('device locked');
  expect(state.vault.rev).toBe(first.rev + 2);
});

test('the next start restores a deleted backup, even if no key has to be uploaded', async () => {
  const { server, alice, phone, laptop } = await setUp();
  const message = await laptop.say(alice.account, 'hello');
  await phone.settle();
  await untilOpen(phone, message);
  const [backup] = server.account(alice.account).backups;
  await expect.poll(() => Object.keys(backup!.rooms)).toHaveLength(1);
  await phone[Symbol.asyncDispose]();
  backup!.isRetired = true;
  await using again = await openBrowser(server, alice, { session: phone.session, disk: phone.disk });
  await expect.poll(() => backup!.isRetired).toBe(false);
  expect(server.account(alice.account).backups).toEqual([backup]);
  expect(again.logs).toContain('backup restored');
});

test('a forged backup entry loses no message, and the backup is replaced by a clean one', async () => {
  const { server, alice, phone, laptop } = await setUp();
  const message = await laptop.say(alice.account, 'hello');
  await phone.settle();
  await untilOpen(phone, message);
  const state = server.account(alice.account);
  const [backup] = state.backups;
  const room = roomOf(message.chat);
  await expect.poll(() => Object.keys(backup!.rooms[room]?.sessions ?? {})).toHaveLength(1);
  await phone[Symbol.asyncDispose]();
  const [[session, genuine]] = Object.entries(backup!.rooms[room]!.sessions) as [[string, BackupEntry]];
  const thief = server.connect(alice.account);
  const forged = { ...genuine, is_verified: true, session_data: { ...genuine.session_data, mac: 'AAAA' } };
  const rooms = { [room]: { sessions: { [session]: forged } } };
  const body = JSON.stringify({ version: backup!.version, rooms });
  await thief.fetch(`http://server.test${putBackupKeys.path}`, { method: 'POST', body });
  // Like the server, keeps the replaced copy.
  server.onAnswer = (path, reply) => {
    const { rooms: given } = reply as { rooms?: Record<string, { sessions: Record<string, unknown> }> };
    if (path !== '/api/backup/keys/get' || given?.[room]?.sessions[session] === undefined) return reply;
    if (JSON.stringify(given[room].sessions[session]) !== JSON.stringify(forged)) return reply;
    return { ...reply, replaced: { [room]: { sessions: { [session]: [genuine] } } } };
  };
  server.remove(alice.account, state.dehydrated!.device_id);
  delete state.dehydrated;

  await using fresh = await openBrowser(server, alice);
  expect(wordsOf(await untilOpen(fresh, message))).toBe('hello');
  await expect.poll(() => fresh.logs).toContain('former backup deleted');
  const current = state.backups.findLast(({ isRetired }) => !isRetired);
  expect(current?.version).not.toBe(backup!.version);
  expect(Object.keys(current!.rooms[room]!.sessions)).toEqual([session]);
  server.onAnswer = (_, reply) => reply;
  await using next = await openBrowser(server, alice);
  expect(wordsOf(await untilOpen(next, message))).toBe('hello');
});

async function setUp() {
  const server = createKeyServer();
  const [alice, bob] = [makeOwner(), makeOwner()];
  const phone = await openBrowser(server, alice);
  const laptop = await openBrowser(server, bob);
  await settleAll(phone, laptop);
  return { server, alice, phone, laptop };
}

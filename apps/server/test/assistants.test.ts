import { findUser, listUsers } from '@dostar/protocol/contract/contacts';
import type { Locale } from '@dostar/protocol/contract/accounts';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import {
  findAssistant,
  addAssistantContact,
  registerAssistant,
} from '../src/features/operations/assistants/service.ts';
import { canReach } from '../src/features/people/contacts/service.ts';
import { createUserDocument } from '../src/features/people/users/service.ts';
import { canClaimUsername } from '../src/features/identity/usernames/service.ts';
import { noOpaque } from '../src/platform/security/opaque.ts';
import { runAdminCommand } from './run-admin-command.ts';
import { startTestCluster } from './test-cluster.ts';
import type { SignedIn, TestCluster } from './test-cluster.ts';

let cluster: TestCluster;
let assistants: SignedIn[];
beforeAll(async () => {
  cluster = await startTestCluster({ postgresUrl: inject('postgresUrl'), natsUrl: inject('natsUrl') });
  assistants = [await addMember(0), await addMember(1)];
  // A user asked before any assistant existed: the cached empty list must not hide the assistant.
  expect(await findAssistant(cluster.ctx, 'amadeus', assistants[0]!.account)).toBeUndefined();
  for (const [index, { account }] of assistants.entries()) await registerAssistant(cluster.ctx, { index, account });
});
afterAll(() => cluster[Symbol.asyncDispose]());

/** A user with an address and a document, as after a sign-up. */
async function addMember(shard: number, locale: Locale = 'en'): Promise<SignedIn> {
  const member = await cluster.addAccount(shard);
  const { account } = member;
  const email = `${account}@example.org`;
  const row = { address: email, account, state: 'whole' as const, verified_at: 1, since: 1 };
  await cluster.ctx.directory.insertInto('email').values(row).execute();
  await createUserDocument(cluster.ctx, account, { email, verifiedAt: 1, locale });
  return member;
}

describe('the name of the assistant', () => {
  test('always leads a user to the same account, and distributes users over all accounts', async () => {
    const met = new Set<string>();
    for (let turn = 0; turn < 40; turn += 1) {
      const account = crypto.randomUUID() as SignedIn['account'];
      const first = await findAssistant(cluster.ctx, 'amadeus', account);
      expect(await findAssistant(cluster.ctx, 'amadeus', account)).toBe(first);
      met.add(first!);
    }
    expect([...met].toSorted()).toEqual(assistants.map(({ account }) => account).toSorted());
  });

  test('is found by a stranger, shown as an assistant, and no other account can take its name', async () => {
    const alice = await addMember(0);
    const { body } = await cluster.call(findUser, alice, { username: 'Amadeus' });
    expect(body.user).toMatchObject({ username: 'amadeus', name: 'Amadeus', isAssistant: true });
    expect(await canClaimUsername(cluster.ctx, alice.account, 'amadeus')).toBe(false);
  });
});

test('an account is prepared without OPAQUE_SETUP, which the command does not get', async () => {
  const { code, out } = await runAdminCommand({ ...cluster.ctx, opaque: noOpaque }, [
    'amadeus',
    'assistant@example.org',
  ]);
  expect(code).toBe(0);
  expect(out).toMatch(/^0 assistant\+0@example\.org \S{20,}$/);
});

describe('a new account', () => {
  test('and its assistant are contacts, and only the assistant sees the language', async () => {
    const aigul = await addMember(1, 'kz');
    const bob = await addMember(0);
    await cluster.befriend(aigul, bob);
    await addAssistantContact(cluster.ctx, aigul.account);
    const account = await findAssistant(cluster.ctx, 'amadeus', aigul.account);
    const assistant = assistants.find((one) => one.account === account)!;
    expect(await canReach(cluster.ctx, aigul.account, assistant.account)).toBe(true);
    expect(await canReach(cluster.ctx, assistant.account, aigul.account)).toBe(true);
    const ask = { accounts: [aigul.account] };
    expect((await cluster.call(listUsers, assistant, ask)).body.users[0]).toMatchObject({ locale: 'kz' });
    expect((await cluster.call(listUsers, bob, ask)).body.users[0]).not.toHaveProperty('locale');
  });

  test('of the assistant itself gets no assistant', async () => {
    const [one, other] = assistants;
    await addAssistantContact(cluster.ctx, one!.account);
    expect(await canReach(cluster.ctx, one!.account, other!.account)).toBe(false);
  });
});

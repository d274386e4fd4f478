import { findUser } from '@dostar/protocol/contract/contacts';
import * as contract from '@dostar/protocol/contract/profile';
import { getUser } from '@dostar/protocol/contract/users';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { startTestCluster } from './test-cluster.ts';
import type { TestCluster } from './test-cluster.ts';

let cluster: TestCluster;
beforeAll(async () => {
  cluster = await startTestCluster({ postgresUrl: inject('postgresUrl'), natsUrl: inject('natsUrl') });
});
afterAll(() => cluster[Symbol.asyncDispose]());

test('a username is changed to a free one, and the former one stays reserved', async () => {
  const [alice, bob] = [await cluster.addNamed(0), await cluster.addNamed(1)];
  const username = `dana.${alice.account.slice(0, 8)}`;
  const check = (name: string) => cluster.call(contract.checkUsername, bob, { username: name });
  expect((await check(username)).body).toEqual({ isFree: true });
  expect((await check(alice.username)).body).toEqual({ isFree: false });
  expect((await check(bob.username)).body).toEqual({ isFree: true });
  expect(await cluster.call(contract.changeUsername, alice, { username: username.toUpperCase() })).toMatchObject({
    status: 200,
    body: { username },
  });
  expect((await cluster.call(getUser, alice)).body.username).toBe(username);
  expect((await cluster.call(findUser, bob, { username })).body.user.id).toBe(alice.account);
  expect(await cluster.call(findUser, bob, { username: alice.username })).toMatchObject({ status: 404 });
  for (const name of [username, alice.username]) {
    expect(await cluster.call(contract.changeUsername, bob, { username: name })).toMatchObject({
      status: 409,
      body: { error: 'username_taken' },
    });
  }
  expect((await cluster.call(getUser, bob)).body.username).toBe(bob.username);
  expect(await cluster.call(contract.changeUsername, bob, { username: 'no spaces' })).toMatchObject({ status: 400 });
});

test('if two accounts request one name at once, one gets it and the other keeps its name', async () => {
  const people = await Promise.all([0, 1, 0, 1].map((shard) => cluster.addNamed(shard)));
  const username = `shared.${people[0]!.account.slice(0, 8)}`;
  const answers = await Promise.all(
    people.map((person) => cluster.call(contract.changeUsername, person, { username })),
  );
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  for (const [index, person] of people.entries()) {
    const { body } = await cluster.call(getUser, person);
    expect(body.username).toBe(answers[index]!.status === 200 ? username : person.username);
  }
});

test('an account that requests several names at once ends up with one, and every call succeeds', async () => {
  const alice = await cluster.addNamed(0);
  const names = [0, 1, 2, 3].map((n) => `dana${n}.${alice.account.slice(0, 8)}`);
  const answers = await Promise.all(
    names.map((username) => cluster.call(contract.changeUsername, alice, { username })),
  );
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  const { body } = await cluster.call(getUser, alice);
  expect(names).toContain(body.username);
});

import { expect, test } from '@playwright/test';
import { startStack } from './support/stack.ts';
import { expectSaid, Walker } from './support/walker.ts';

test('notes go both ways in Firefox, and a reload loses none', async ({ browser }) => {
  await using stack = await startStack();
  const links = await stack.signIn();
  const alice = await Walker.open(await browser.newContext(), links.alice);
  const bob = await Walker.open(await browser.newContext(), links.bob);
  await alice.write('Hello from Alice');
  await bob.write('Hello from Bob');
  await expectSaid(alice, ['Hello from Alice'], bob, ['Hello from Bob']);
  await alice.page.reload();
  await expect(alice.received).toHaveText(['Hello from Bob']);
  await expect(alice.statusOf('Hello from Alice')).toHaveText('delivered');
});

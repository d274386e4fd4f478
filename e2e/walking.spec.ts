/** A message walks from one browser to another, across two shards and two gateways, whatever dies on the way. */
import { expect, test } from '@playwright/test';
import { countWaiting } from './support/count-waiting.ts';
import { type Stack, startStack } from './support/stack.ts';
import { expectSaid, Walker } from './support/walker.ts';

let stack: Stack;
test.beforeAll(async () => {
  stack = await startStack();
});
test.afterAll(async () => {
  await stack[Symbol.asyncDispose]();
});

test('notes written while a gateway and an api are killed arrive once and in order, and a reload loses nothing', async ({
  browser,
}) => {
  const { front, apis, gateways } = stack;
  const links = await stack.signIn();
  const alice = await Walker.open(await browser.newContext({ viewport: { width: 390, height: 844 } }), links.alice);
  const bob = await Walker.open(await browser.newContext({ viewport: { width: 1440, height: 900 } }), links.bob);
  const said = { alice: [] as string[], bob: [] as string[] };

  async function exchange(occasion: string): Promise<void> {
    const notes = (name: string): string[] => [1, 2, 3].map((number) => `${name} ${occasion} ${number}`);
    said.alice.push(...notes('Alice'));
    said.bob.push(...notes('Bob'));
    await Promise.all([alice.write(...notes('Alice')), bob.write(...notes('Bob'))]);
  }
  const expectAllSaid = (): Promise<void> => expectSaid(alice, said.alice, bob, said.bob);

  await test.step('the token leaves the address bar', () => {
    expect(new URL(alice.page.url()).hash).toBe('');
  });

  await test.step('two gateways hold them, and notes go both ways', async () => {
    expect([...front.countSockets().values()]).toEqual([1, 1]);
    await exchange('in peace');
    await expectAllSaid();
    await expect(alice.statusOf('Alice in peace 3')).toHaveText('delivered');
  });

  await test.step('one gateway and one api are killed while they write', async () => {
    gateways[0]!.signal('SIGKILL');
    apis[0]!.signal('SIGKILL');
    await exchange('without the first two');
    await expectAllSaid();
  });

  await test.step('the first two return and the others are killed while they write', async () => {
    await Promise.all([gateways[0]!.restart(), apis[0]!.restart()]);
    gateways[1]!.signal('SIGKILL');
    apis[1]!.signal('SIGKILL');
    await exchange('without the second two');
    await expectAllSaid();
  });

  await test.step('with no api left, a note waits, outlives a reload beside the history, and is sent', async () => {
    apis[0]!.signal('SIGKILL');
    said.alice.push('Alice before a reload');
    await alice.write('Alice before a reload');
    await expect(alice.statusOf('Alice before a reload')).toHaveText('sending');
    // It shows before it is written down; what a tab takes with it in those milliseconds is lost.
    await expect.poll(() => countWaiting(alice.page)).toBe(1);
    await alice.page.reload();
    await expect(alice.own).toHaveText(said.alice);
    await expect(alice.received).toHaveText(said.bob);
    await expect(alice.statusOf('Alice before a reload')).toHaveText('sending');
    await Promise.all([apis[0]!.restart(), apis[1]!.restart(), gateways[1]!.restart()]);
    await expectAllSaid();
    await expect(alice.statusOf('Alice before a reload')).toHaveText('delivered');
  });

  await alice.expectConnected();
  await bob.expectConnected();
  await alice.page.screenshot({ path: test.info().outputPath('alice-390x844.png') });
  await bob.page.screenshot({ path: test.info().outputPath('bob-1440x900.png') });
});

test('a tab without a link says where to get one', async ({ page }) => {
  await page.goto(`${stack.front.origin}/walk`);
  await expect(page.getByText('./dev admin walk')).toBeVisible();
});

/** The encryption engine in real browsers: in a worker of the tab that leads, behind the site's own policy. */
import { randomBytes } from 'node:crypto';
import { expect, test } from '@playwright/test';
import { startStack } from './support/stack.ts';
import { expectSaid, Walker } from './support/walker.ts';

test('notes are sealed, survive a reload and reach a second tab; the engine loads in one tab only', async ({
  browser,
}) => {
  await using stack = await startStack();
  const links = await stack.signIn();
  const contexts = { alice: await browser.newContext(), bob: await browser.newContext() };
  const sealed: string[] = [];
  const engines: string[] = [];
  contexts.alice.on('request', (request) => {
    if (request.url().endsWith('.wasm')) engines.push(request.url());
    if (request.url().endsWith('/api/messages/send')) sealed.push(request.postData() ?? '');
  });
  const alice = await Walker.open(contexts.alice, withKey(links.alice));
  const bob = await Walker.open(contexts.bob, withKey(links.bob));

  await test.step('both ways', async () => {
    await alice.write('Hello from Alice');
    await bob.write('Hello from Bob');
    await expectSaid(alice, ['Hello from Alice'], bob, ['Hello from Bob']);
    expect(sealed.length).toBeGreaterThan(0);
    for (const body of sealed) {
      expect(Buffer.from((JSON.parse(body) as { body: string }).body, 'base64url').toString('latin1')).not.toContain(
        'Hello',
      );
    }
  });

  await test.step('a second tab sends through the first', async () => {
    const second = await contexts.alice.newPage();
    await second.goto(withKey(links.alice));
    await second.getByLabel('Your note').fill('From the second tab');
    await second.getByRole('button', { name: 'Send' }).click();
    await expect(bob.received).toHaveText(['Hello from Alice', 'From the second tab']);
    expect(new Set(engines).size).toBe(1);
    await second.close();
  });

  await test.step('after a reload the same device reads on', async () => {
    await alice.page.reload();
    await alice.expectConnected();
    await bob.write('After your reload');
    await expect(alice.received).toHaveText(['Hello from Bob', 'After your reload']);
  });
});

const keys = new Map<string, string>();

/** The account key, as signing in leaves it in a browser. */
function withKey(link: string): string {
  const key = keys.get(link) ?? randomBytes(32).toString('base64url');
  keys.set(link, key);
  return `${link}&key=${key}`;
}

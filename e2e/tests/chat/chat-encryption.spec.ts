/** The encryption engine in real browsers: in a worker of the leading tab, under the site's own content security policy. */
import type { Request } from '@playwright/test';
import { expect, message, openChat, test, write } from '../../support/pair.ts';

test('messages are encrypted, survive a reload and reach a second tab; the engine loads in one tab only', async ({
  alice,
  bob,
}) => {
  const sealed: string[] = [];
  const engines: string[] = [];
  alice.context.on('request', (request: Request) => {
    if (request.url().endsWith('.wasm')) engines.push(request.url());
    if (request.url().endsWith('/api/messages/send')) sealed.push(request.postData() ?? '');
  });
  await openChat(alice.page, bob.username);
  await openChat(bob.page, alice.username);

  await test.step('both ways', async () => {
    await write(alice.page, 'Hello from Alice');
    await write(bob.page, 'Hello from Bob');
    await expect(message(bob.page, 'Hello from Alice')).toBeVisible();
    await expect(message(alice.page, 'Hello from Bob')).toBeVisible();
    expect(sealed.length).toBeGreaterThan(0);
    for (const body of sealed) {
      const { body: bytes } = JSON.parse(body) as { body: string };
      expect(Buffer.from(bytes, 'base64url').toString('latin1')).not.toContain('Hello');
    }
  });

  await test.step('a second tab sends through the first', async () => {
    const before = engines.length;
    expect(before).toBeGreaterThan(0);
    const second = await alice.context.newPage();
    await openChat(second, bob.username);
    await write(second, 'From the second tab');
    await expect(message(bob.page, 'From the second tab')).toBeVisible();
    expect(engines).toHaveLength(before);
    await second.close();
  });

  await test.step('after a reload the same device reads on', async () => {
    await alice.page.reload();
    await write(bob.page, 'After your reload');
    await expect(message(alice.page, 'After your reload')).toBeVisible();
  });
});

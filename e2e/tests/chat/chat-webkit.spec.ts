/** A user in WebKitGTK signs in with the password, reads the history, and writes and receives messages. */
import { expect, message, password, test as pair, write } from '../../support/pair.ts';
import { startTlsProxy } from '../../support/tls-proxy.ts';
import { startSite } from '../../support/site.ts';
import { startWebKit } from '../../support/webkit.ts';

const test = pair.extend({
  site: [
    async ({ inbox }, use) => {
      await using tlsProxy = await startTlsProxy();
      const env = { SMTP_URL: inbox.smtpUrl, ORIGIN: tlsProxy.origin };
      await using site = await startSite(env, 'site,api,worker,gateway');
      tlsProxy.setTarget(site.origin);
      await use({ ...site, origin: tlsProxy.origin });
    },
    { scope: 'worker', timeout: 300_000 },
  ],
});

test.use({ ignoreHTTPSErrors: true });

test('in WebKit a user signs in with their password, reads what was said, and writes', async ({ alice, bob, site }) => {
  await using webkit = await startWebKit();
  await webkit.goto(`${site.origin}/sign-in`);
  await webkit.type('Email', alice.email);
  await webkit.type('Password', password);
  await webkit.clickButton('Sign in');
  await webkit.untilText('Profile strength');
  await webkit.clickLink('Contacts');
  await webkit.clickLink(bob.username);
  await webkit.untilMessage('Of course!');
  await webkit.type('Message', 'Hello from WebKit');
  await webkit.pressEnter('Message');
  await expect(message(bob.page, 'Hello from WebKit')).toBeVisible();
  await write(bob.page, 'And from Chromium');
  await webkit.untilMessage('And from Chromium');
  await test.info().attach('webkit', { body: await webkit.screenshot(), contentType: 'image/png' });
});

import { createGoogleAuth } from '@dostar/client/google';
import { startGoogle } from '@dostar/protocol/contract/google';
import { ORIGIN } from '../../../harness/lib/servers.ts';
import type { Browser } from '@dostar/client/testing/http-browser';
import { createUser } from '../fixture.ts';
import type { Journey, Fixture } from '../fixture.ts';

const MOST_STEPS = 8;

/** Signs up with Google and a password, then signs in with Google again. */
export const throughGoogle: Journey = {
  name: 'Google',
  async run(fixture) {
    const { browser, email } = createUser(fixture);
    const google = createGoogleAuth({ ...browser.deps, authenticator: nobodysAuthenticator });
    await visit(fixture, browser, email);
    const found = await google.findSignUp();
    if (!found) throw new Error('Google has confirmed no user');
    await fixture.look();
    await google.completeSignUp(found.account, 'Quiet-river-12 of Google');
    const again = createUser(fixture, email);
    await visit(fixture, again.browser, email);
    const signedIn = createGoogleAuth({ ...again.browser.deps, authenticator: nobodysAuthenticator });
    await signedIn.unlock(found.account, 'Quiet-river-12 of Google');
  },
};

const nobodysAuthenticator = { create: async () => undefined, get: async () => undefined };

/** Goes to the provider and back. The parameters in the return URL are for our server only and work once. */
async function visit({ plantedSecrets }: Fixture, browser: Browser, email: string): Promise<void> {
  const { url } = await browser.call(startGoogle, { locale: 'en' });
  const jar = new Map<string, string>();
  let next = url;
  for (let steps = 0; steps < MOST_STEPS && !next.startsWith(ORIGIN); steps += 1) next = await stepOn(jar, next, email);
  const returned = new URL(next);
  for (const name of ['code', 'state']) {
    const value = returned.searchParams.get(name);
    if (value === null) throw new Error(`the provider sends no ${name}`);
    plantedSecrets.plant(`${name} of the provider`, value, ['url']);
  }
  await browser.fetch(returned);
}

async function stepOn(jar: Map<string, string>, address: string, email: string): Promise<string> {
  const isForm = address.includes('/interaction/');
  const reply = await fetch(address, {
    redirect: 'manual',
    headers: { cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; ') },
    ...(isForm && { method: 'POST', body: new URLSearchParams({ email, action: 'continue' }) }),
  });
  for (const line of reply.headers.getSetCookie()) {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
    jar.set(name, value);
  }
  return new URL(reply.headers.get('location') ?? '', address).href;
}

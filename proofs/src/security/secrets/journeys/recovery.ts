import { createOpaqueClient } from '@dostar/client/opaque';
import * as recovery from '@dostar/protocol/contract/recovery';
import { signUpUser, createUser } from '../fixture.ts';
import type { Journey } from '../fixture.ts';

/** Resets a forgotten password by the link in the email. */
export const recoverByEmail: Journey = {
  name: 'recovery',
  async run(fixture) {
    const { plantedSecrets, inbox } = fixture;
    const { email } = await signUpUser(fixture, 'Quiet-river-11 forgotten');
    const emails = (await inbox.listEmails(email)).length;
    const { browser } = createUser(fixture, email);
    await browser.call(recovery.requestPasswordReset, { email, locale: 'ru' });
    const { text } = await inbox.waitForEmail(email, emails + 1);
    // The token is in the fragment, which a browser does not send.
    const token = /\/reset-password#([\w-]{43})/.exec(text)?.[1];
    if (token === undefined) throw new Error('the email has no link');
    plantedSecrets.plant('link of an email', token);
    await fixture.look();
    const [opaque, password] = [createOpaqueClient(), 'Quiet-river-11 remembered'];
    plantedSecrets.plant('password', password);
    const { state, request } = await opaque.startRegistration(password);
    const { response } = await browser.call(recovery.startPasswordReset, { token, request });
    const { record, exportKey } = await opaque.finishRegistration(password, state, response);
    plantedSecrets.plant('OPAQUE export key', Buffer.from(exportKey, 'base64url'));
    await browser.call(recovery.finishPasswordReset, { token, record });
    await browser.auth.signIn(email, password);
  },
};

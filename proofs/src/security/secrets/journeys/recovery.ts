import { createOpaqueClient } from '@dostar/client/opaque';
import * as recovery from '@dostar/protocol/contract/recovery';
import { newAccount, newTraveller } from '../scene.ts';
import type { Journey } from '../scene.ts';

/** A forgotten password, by the link of the letter. */
export const recoverByMail: Journey = {
  name: 'recovery',
  async run(scene) {
    const { ledger, post } = scene;
    const { email } = await newAccount(scene, 'Quiet-river-11 forgotten');
    const letters = (await post.listLetters(email)).length;
    const { browser } = newTraveller(scene, email);
    await browser.call(recovery.requestPasswordReset, { email, locale: 'ru' });
    const { text } = await post.waitForLetter(email, letters + 1);
    // Behind the `#`: a browser keeps it to itself.
    const token = /\/reset-password#([\w-]{43})/.exec(text)?.[1];
    if (token === undefined) throw new Error('the letter has no link');
    ledger.plant('link of a letter', token);
    await scene.look();
    const [opaque, password] = [createOpaqueClient(), 'Quiet-river-11 remembered'];
    ledger.plant('password', password);
    const { state, request } = await opaque.startRegistration(password);
    const { response } = await browser.call(recovery.startPasswordReset, { token, request });
    const { record, exportKey } = await opaque.finishRegistration(password, state, response);
    ledger.plant('OPAQUE export key', Buffer.from(exportKey, 'base64url'));
    await browser.call(recovery.finishPasswordReset, { token, record });
    await browser.auth.signIn(email, password);
  },
};

import { randomBytes } from 'node:crypto';
import * as passwords from '@dostar/protocol/contract/passwords';
import * as reauthentication from '@dostar/protocol/contract/reauthentication';
import { createOpaqueClient } from '@dostar/client/opaque';
import { signUpUser, createUser } from '../fixture.ts';
import type { Journey } from '../fixture.ts';

export const passwordChange: Journey = {
  name: 'password change',
  async run(fixture) {
    const [before, after] = ['Quiet-river-9 before', 'Quiet-river-9 after'];
    const { browser, email } = await signUpUser(fixture, before);
    const opaque = createOpaqueClient();
    fixture.plantedSecrets.plant('password', after);
    const asked = await opaque.startLogin(before);
    const { response: answer, login } = await browser.call(reauthentication.startPasswordReauthentication, {
      request: asked.request,
    });
    const proof = await opaque.finishLogin(before, asked.state, answer);
    await browser.call(reauthentication.finishPasswordReauthentication, { login, finish: proof!.finish });
    const { state, request } = await opaque.startRegistration(after);
    const { response } = await browser.call(passwords.startPasswordChange, { request });
    const { record, exportKey } = await opaque.finishRegistration(after, state, response);
    fixture.plantedSecrets.plant('OPAQUE export key', Buffer.from(exportKey, 'base64url'));
    const wrap = { method: 'password', params: 'of the proof', blob: randomBytes(60).toString('base64url') } as const;
    await browser.call(passwords.finishPasswordChange, { record, wrap, endOthers: true });
    const again = createUser(fixture, email);
    await again.browser.auth.signIn(email, after);
  },
};

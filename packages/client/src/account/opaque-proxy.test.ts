import * as library from '@serenity-kit/opaque';
import { afterAll, expect, test } from 'vitest';
import { createOpaqueProxy, serveOpaque } from './opaque-proxy.ts';

const { port1, port2 } = new MessageChannel();
afterAll(() => port1.close());

test('a password registered through a worker signs in through it, and another does not', async () => {
  serveOpaque(port2);
  port2.start();
  const client = createOpaqueProxy(port1);
  port1.start();
  await library.ready;
  const serverSetup = library.server.createSetup();
  const userIdentifier = 'alice';
  const { state, request } = await client.startRegistration('a password');
  const { registrationResponse } = library.server.createRegistrationResponse({
    serverSetup,
    userIdentifier,
    registrationRequest: request,
  });
  const { record: registrationRecord, exportKey } = await client.finishRegistration(
    'a password',
    state,
    registrationResponse,
  );

  async function logIn(password: string) {
    const started = await client.startLogin(password);
    const { loginResponse } = library.server.startLogin({
      serverSetup,
      userIdentifier,
      registrationRecord,
      startLoginRequest: started.request,
    });
    return client.finishLogin(password, started.state, loginResponse);
  }
  expect(await logIn('a password')).toMatchObject({ exportKey });
  expect(await logIn('another')).toBeUndefined();
  await expect(client.finishLogin('a password', 'nonsense', 'nonsense')).rejects.toThrow();
});

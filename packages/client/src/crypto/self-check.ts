/** Self-checks of the encryption in this browser. They use the app's own code, need no server and store nothing. */
import { AccountId } from '@dostar/protocol/ids';
import { unwrapAccountKey, wrapAccountKey } from '../account/account-key.ts';
import type { OpaqueClient } from '../account/opaque.ts';
import { loadEngine } from './engine/engine.ts';
import { fromBase64Url } from '../net/base64.ts';

const USER = '@check:check';
const ROOM = '!check:check';
const EVENT = 'm.room.encrypted';

/** The engine encrypts a message and decrypts it; true if the text is the same and was not readable in between. */
export async function tryEngine(text: string): Promise<boolean> {
  const library = await loadEngine();
  const user = new library.UserId(USER);
  const machine = await library.OlmMachine.initialize(user, new library.DeviceId('CHECK'));
  try {
    const room = new library.RoomId(ROOM);
    await machine.shareRoomKey(room, [], new library.EncryptionSettings());
    const sealed = await machine.encryptRoomEvent(room, 'check', JSON.stringify({ text }));
    const event = {
      type: EVENT,
      event_id: '$check',
      room_id: ROOM,
      sender: USER,
      origin_server_ts: Date.now(),
      content: JSON.parse(sealed) as unknown,
    };
    const settings = new library.DecryptionSettings(library.TrustRequirement.Untrusted);
    using opened = await machine.decryptRoomEvent(JSON.stringify(event), room, settings);
    const { content } = JSON.parse(opened.event) as { content: { text: string } };
    return content.text === text && !sealed.includes(text);
  } finally {
    machine.close();
  }
}

/** A password wraps an account key and unwraps it as at a sign-in; another secret does not unwrap it. */
export async function tryUnlock(
  opaque: OpaqueClient,
  random: (size: number) => Uint8Array<ArrayBuffer>,
): Promise<boolean> {
  const library = await import('@serenity-kit/opaque');
  await library.ready;
  const { server } = library;
  const account = AccountId.parse(crypto.randomUUID());
  const [password, accountKey, serverSetup] = [crypto.randomUUID(), random(32), server.createSetup()];

  const registration = await opaque.startRegistration(password);
  const { registrationResponse } = server.createRegistrationResponse({
    serverSetup,
    userIdentifier: account,
    registrationRequest: registration.request,
  });
  const { record, exportKey } = await opaque.finishRegistration(password, registration.state, registrationResponse);
  const wrap = await wrapAccountKey(accountKey, fromBase64Url(exportKey), { account, method: 'password', random });

  const login = await opaque.startLogin(password);
  const { loginResponse } = server.startLogin({
    serverSetup,
    userIdentifier: account,
    registrationRecord: record,
    startLoginRequest: login.request,
  });
  const proof = await opaque.finishLogin(password, login.state, loginResponse);
  const opened = proof && (await unwrapAccountKey(wrap, fromBase64Url(proof.exportKey), account));
  const byOther = await unwrapAccountKey(wrap, random(64), account);
  return byOther === undefined && opened !== undefined && opened.every((byte, index) => byte === accountKey[index]);
}

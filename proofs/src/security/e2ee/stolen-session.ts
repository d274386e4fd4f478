/** What a server can do with a session that it created itself: an unsigned device of the account. */
import type { EngineDevice } from '../../../../apps/server/test/engine-device.ts';
import { loadEngine } from '../../../../packages/client/src/crypto/engine/engine.ts';
import { packEnvelope } from '../../../../packages/client/src/crypto/sealing/envelope.ts';
import { BYTES_FIELD, EVENT_TYPE } from '../../../../packages/client/src/crypto/sealing/seal.ts';
import type { ChatId } from '@dostar/protocol/ids';
import { roomOf, userOf } from '@dostar/protocol/matrix-ids';
import type { Person } from '../../../../apps/server/test/test-cluster.ts';

/** Encrypts a message for every device of both users, signed or not. */
export async function sealUnsigned(device: Bound, to: Person, chat: ChatId, content: Uint8Array): Promise<string> {
  const { machine, person } = device;
  const library = await loadEngine();
  const users = () => [person, to].map(({ account }) => new library.UserId(userOf(account)));
  const room = () => new library.RoomId(roomOf(chat));
  await machine.updateTrackedUsers(users());
  await device.flush();
  const claim = await machine.getMissingSessions(users());
  if (claim) await device.dispatch(claim);
  const settings = new library.EncryptionSettings();
  settings.sharingStrategy = library.CollectStrategy.allDevices();
  for (const request of await machine.shareRoomKey(room(), users(), settings)) await device.dispatch(request);
  return sealIn(machine, room(), content);
}

type Bound = Pick<EngineDevice, 'machine' | 'person' | 'flush' | 'dispatch'>;
type Machine = EngineDevice['machine'];

/** Encrypts as our client does; the engine must have a session for the room. */
export async function sealIn(
  machine: Machine,
  room: Parameters<Machine['encryptRoomEvent']>[0],
  content: Uint8Array,
): Promise<string> {
  const text = JSON.stringify({ [BYTES_FIELD]: Buffer.from(content).toString('base64').replaceAll('=', '') });
  const { session_id: session, ciphertext } = JSON.parse(await machine.encryptRoomEvent(room, EVENT_TYPE, text)) as {
    session_id: string;
    ciphertext: string;
  };
  return Buffer.from(packEnvelope({ session, ciphertext })).toString('base64url');
}

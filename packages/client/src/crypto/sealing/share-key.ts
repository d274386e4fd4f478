/** Shares a chat's key with the signed devices of its members, and with no other device. */
import { AppError } from '@dostar/protocol/errors';
import type { AccountId, ChatId } from '@dostar/protocol/ids';
import { accountOf, MatrixUser } from '@dostar/protocol/matrix-ids';
import type { ToDeviceRequest } from '@matrix-org/matrix-sdk-crypto-wasm';
import { z } from 'zod';
import type { Engine } from '../engine/engine.ts';

/**
 * Call it under DEVICE_LISTS_LOCK, and send the requests that it returns. Throws `unavailable`, and drops the key, if
 * the engine would give the key to a device that is not signed.
 */
export async function shareKey(
  engine: Engine,
  { members, chat }: { members: AccountId[]; chat: ChatId },
): Promise<ToDeviceRequest[]> {
  const { library, machine } = engine;
  using settings = new library.EncryptionSettings();
  settings.sharingStrategy = library.CollectStrategy.identityBasedStrategy();
  using room = engine.room(chat);
  const requests = await machine.shareRoomKey(room, engine.users(members), settings);
  const allowed = new Map<AccountId, ReadonlySet<string>>();
  for (const member of members) allowed.set(member, await listSignedDevices(engine, member));
  if (requests.every((request) => isFor(allowed, request))) return requests;
  await machine.invalidateGroupSession(room);
  throw new AppError('unavailable');
}

/** The devices of an account that its identity has signed, including the dehydrated device. */
export async function listSignedDevices({ machine, user }: Engine, account: AccountId): Promise<Set<string>> {
  using identity = await machine.getIdentity(user(account));
  if (identity === undefined) return new Set();
  using devices = await machine.getUserDevices(user(account));
  const signed = new Set<string>();
  for (const device of devices.devices()) {
    if (device.isCrossSignedByOwner()) signed.add(device.deviceId.toString());
    device.free();
  }
  return signed;
}

const Messages = z.object({ messages: z.record(MatrixUser, z.record(z.string(), z.unknown())) });

/** Only encrypted requests contain the key. The others tell a device in plaintext that it gets no key. */
function isFor(allowed: ReadonlyMap<AccountId, ReadonlySet<string>>, request: ToDeviceRequest): boolean {
  if (request.event_type !== 'm.room.encrypted') return true;
  const { messages } = Messages.parse(JSON.parse(request.body));
  return Object.entries(messages).every(([user, devices]) => {
    const known = allowed.get(accountOf(MatrixUser.parse(user)));
    return Object.keys(devices).every((device) => known?.has(device) === true);
  });
}

/** Shares a chat's key with the signed devices of its members, and with no other device. */
import { AppError } from '@dostar/protocol/errors';
import type { AccountId, ChatId } from '@dostar/protocol/ids';
import { accountOf, MatrixUser } from '@dostar/protocol/matrix-ids';
import type { ToDeviceRequest } from '@matrix-org/matrix-sdk-crypto-wasm';
import { z } from 'zod';
import type { Defences } from './defences.ts';
import type { Engine } from './engine.ts';

interface ShareDeps {
  engine: Engine;
  defences: Defences;
}

/** Call it under the lock of the device lists. What it answers has not been sent. */
export async function shareKey(
  deps: ShareDeps,
  { members, chat }: { members: AccountId[]; chat: ChatId },
): Promise<ToDeviceRequest[]> {
  const { engine, defences } = deps;
  const { library, machine } = engine;
  using settings = new library.EncryptionSettings();
  settings.sharingStrategy = defences.signedDevicesOnly
    ? library.CollectStrategy.identityBasedStrategy()
    : library.CollectStrategy.allDevices();
  using room = engine.room(chat);
  const requests = await machine.shareRoomKey(room, engine.users(members), settings);
  const allowed = new Map<AccountId, ReadonlySet<string>>();
  for (const member of members) allowed.set(member, await listSignedDevices(deps, member));
  if (requests.every((request) => isFor(allowed, request))) return requests;
  using spoilt = engine.room(chat);
  await machine.invalidateGroupSession(spoilt);
  throw new AppError('unavailable');
}

/** The devices of an account that its identity has signed; the one that waits for its next browser among them. */
export async function listSignedDevices({ engine, defences }: ShareDeps, account: AccountId): Promise<Set<string>> {
  const { machine, user } = engine;
  using identity = await machine.getIdentity(user(account));
  if (identity === undefined) return new Set();
  using devices = await machine.getUserDevices(user(account));
  const signed = new Set<string>();
  for (const device of devices.devices()) {
    if (!defences.signedDevicesOnly || device.isCrossSignedByOwner()) signed.add(device.deviceId.toString());
    device.free();
  }
  return signed;
}

const Messages = z.object({ messages: z.record(MatrixUser, z.record(z.string(), z.unknown())) });

/** A device that gets no key is told so in clear, which is no secret. */
function isFor(allowed: ReadonlyMap<AccountId, ReadonlySet<string>>, request: ToDeviceRequest): boolean {
  if (request.event_type !== 'm.room.encrypted') return true;
  const { messages } = Messages.parse(JSON.parse(request.body));
  return Object.entries(messages).every(([user, devices]) => {
    const known = allowed.get(accountOf(MatrixUser.parse(user)));
    return Object.keys(devices).every((device) => known?.has(device) === true);
  });
}

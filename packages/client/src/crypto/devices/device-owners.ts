/**
 * Which account a device belongs to, and which identities have signed it.
 *
 * Read after every answer to a key query and kept: a server that shows another identity for a moment can't make this
 * browser forget that the devices it showed were signed by that one.
 */
import type { AccountId } from '@dostar/protocol/ids';
import { accountOf, MatrixUser } from '@dostar/protocol/matrix-ids';
import { z } from 'zod';
import type { Engine } from '../engine/engine.ts';
import type { KeyMetadataStore, SignedDevice } from '../engine/key-metadata.ts';
import { readMasterKey } from './identities.ts';

export interface DeviceOwners {
  /** Whose device has this key; undefined unless an identity that this account trusts has signed it. */
  ownerOf(senderKey: string): Promise<AccountId | undefined>;
  /** The same, without asking the server. */
  findOwner(senderKey: string): Promise<AccountId | undefined>;
  /** The device with the master keys that have signed it, trusted or not. */
  findSigned(senderKey: string): Promise<SignedDevice | undefined>;
  /** Looks at the devices that the engine knows of an account now. */
  read(account: AccountId): Promise<void>;
  /** Asks about the claimed senders, in case a key comes from a deleted device. */
  observeEvents(events: readonly object[]): void;
}

const Sealed = z.object({ sender: MatrixUser, content: z.object({ sender_key: z.string() }) });

interface DeviceOwnersDeps {
  engine: Engine;
  keyMetadata: Pick<KeyMetadataStore, 'addSigned' | 'listSigned'>;
  listFollowed(): Iterable<AccountId>;
  /** Whether this account trusts that identity of the other, now or before. */
  wasTrusted(account: AccountId, masterKey: string): boolean;
  /** Has the engine look at the account's former devices too, and `read` called while it does. */
  loadFormerDevices(account: AccountId): Promise<void>;
}

export async function createDeviceOwners({
  engine,
  keyMetadata,
  listFollowed,
  wasTrusted,
  loadFormerDevices,
}: DeviceOwnersDeps): Promise<DeviceOwners> {
  const { machine, user } = engine;
  const read = new Set<AccountId>();
  const signed = new Map((await keyMetadata.listSigned()).map((device) => [device.key, device]));
  const claimedSenders = new Map<string, AccountId>();

  async function readDevices(account: AccountId): Promise<void> {
    const master = await readMasterKey(engine, account);
    if (master === undefined) return;
    using devices = await machine.getUserDevices(user(account));
    for (const device of devices.devices()) {
      const key = device.curve25519Key?.toBase64();
      if (key !== undefined && device.isCrossSignedByOwner()) await note({ key, account, masters: [master] });
      device.free();
    }
    read.add(account);
  }

  async function note(device: SignedDevice): Promise<void> {
    const before = signed.get(device.key)?.masters ?? [];
    if (device.masters.every((master) => before.includes(master))) return;
    signed.set(device.key, { ...device, masters: [...new Set([...before, ...device.masters])] });
    await keyMetadata.addSigned(device);
  }

  async function findSigned(senderKey: string): Promise<SignedDevice | undefined> {
    for (const account of listFollowed()) {
      if (signed.has(senderKey)) break;
      if (!read.has(account)) await readDevices(account);
    }
    return signed.get(senderKey);
  }

  async function findOwner(senderKey: string): Promise<AccountId | undefined> {
    const device = await findSigned(senderKey);
    return device?.masters.some((master) => wasTrusted(device.account, master)) ? device.account : undefined;
  }

  return {
    async ownerOf(senderKey) {
      const found = await findSigned(senderKey);
      const sender = claimedSenders.get(senderKey);
      if (found === undefined && sender !== undefined) {
        await loadFormerDevices(sender);
        // Once is enough: otherwise the client would ask about a never signed device without end.
        claimedSenders.delete(senderKey);
      }
      return findOwner(senderKey);
    },
    findOwner,
    findSigned,
    read: readDevices,
    observeEvents(events) {
      for (const event of events) {
        const { data } = Sealed.safeParse(event);
        if (data !== undefined) claimedSenders.set(data.content.sender_key, accountOf(data.sender));
      }
    },
  };
}

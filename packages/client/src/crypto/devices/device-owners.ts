/**
 * Which account a device belongs to, and which identities have signed it.
 *
 * Stored after every answer to a key query: if the server shows another identity for a moment, this browser still
 * remembers which identity signed the devices that it showed.
 */
import type { AccountId } from '@dostar/protocol/ids';
import { accountOf, MatrixUser } from '@dostar/protocol/matrix-ids';
import { z } from 'zod';
import type { Engine } from '../engine/engine.ts';
import type { KeyMetadataStore, SignedDevice } from '../engine/key-metadata.ts';
import { readMasterKey } from './identities.ts';

export interface DeviceOwners {
  /**
   * The account of the device with this key; undefined unless an identity that this account trusts signed the device.
   */
  ownerOf(senderKey: string): Promise<AccountId | undefined>;
  /** Like `ownerOf`, without asking the server. */
  findOwner(senderKey: string): Promise<AccountId | undefined>;
  /** The device, with the master keys of the identities that signed it, trusted or not. */
  findSigned(senderKey: string): Promise<SignedDevice | undefined>;
  /** Stores the signed devices of an account from the engine's present device list. */
  read(account: AccountId): Promise<void>;
  /** Remembers who claims to have sent each event, so that `ownerOf` can ask about deleted devices of that account. */
  observeEvents(events: readonly object[]): void;
}

const Sealed = z.object({ sender: MatrixUser, content: z.object({ sender_key: z.string() }) });

interface DeviceOwnersDeps {
  engine: Engine;
  keyMetadata: Pick<KeyMetadataStore, 'addSigned' | 'listSigned'>;
  listFollowed(): Iterable<AccountId>;
  /** Whether this account trusts that identity of the other account now, or did before. */
  wasTrusted(account: AccountId, masterKey: string): boolean;
  /** Adds the account's former devices to the engine's list for a moment; `read` is called in that time. */
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
        // Only one query per sender: a device that was never signed would cause queries forever.
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

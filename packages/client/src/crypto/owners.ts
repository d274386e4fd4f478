import type { AccountId } from '@dostar/protocol/ids';
import { accountOf, MatrixUser } from '@dostar/protocol/matrix-ids';
import { z } from 'zod';
import type { Engine } from './engine.ts';

/** Whose device a key is of, among the accounts this device follows. */
export interface Owners {
  ownerOf(senderKey: string): Promise<AccountId | undefined>;
  /** The same, without asking anybody. */
  findOwner(senderKey: string): Promise<AccountId | undefined>;
  /** Looks at the devices that the engine knows of an account now. */
  read(account: AccountId): Promise<void>;
  /** Its devices are not what they were. */
  forget(account: AccountId): void;
  /** Whoever says to have sent these is asked about, should a key come from a device that nobody has any more. */
  hear(events: readonly object[]): void;
}

const Sealed = z.object({ sender: MatrixUser, content: z.object({ sender_key: z.string() }) });

interface OwnersDeps {
  listFollowed(): Iterable<AccountId>;
  /** Has the engine look at the account's former devices too, and `read` called while it does. */
  recall(account: AccountId): Promise<void>;
}

export function createOwners({ machine, user }: Engine, { listFollowed, recall }: OwnersDeps): Owners {
  const known = new Set<AccountId>();
  /** Keys stay: a device that is gone has still sealed what it sealed. */
  const owners = new Map<string, AccountId>();
  const said = new Map<string, AccountId>();

  async function read(account: AccountId): Promise<void> {
    using devices = await machine.getUserDevices(user(account));
    for (const device of devices.devices()) {
      const key = device.curve25519Key?.toBase64();
      if (key !== undefined && device.isCrossSignedByOwner()) owners.set(key, account);
      device.free();
    }
    known.add(account);
  }

  async function findOwner(senderKey: string): Promise<AccountId | undefined> {
    for (const account of listFollowed()) {
      if (owners.has(senderKey)) break;
      if (!known.has(account)) await read(account);
    }
    return owners.get(senderKey);
  }

  return {
    async ownerOf(senderKey) {
      const found = await findOwner(senderKey);
      const sender = said.get(senderKey);
      if (found === undefined && sender !== undefined) {
        await recall(sender);
        // Once is enough: a device that was never signed would be asked about for ever.
        said.delete(senderKey);
      }
      return owners.get(senderKey);
    },
    findOwner,
    read,
    forget: (account) => void known.delete(account),
    hear(events) {
      for (const event of events) {
        const { data } = Sealed.safeParse(event);
        if (data !== undefined) said.set(data.content.sender_key, accountOf(data.sender));
      }
    },
  };
}

/** This account's devices: the server's list, with the keys that the engine knows. */
import { listDevices } from '@dostar/protocol/contract/device-keys';
import type { z } from 'zod';
import type { Call } from '../../net/call.ts';
import type { Engine } from '../engine/engine.ts';

export interface OwnDevice extends Listed {
  /** Whether this account's identity has signed the device. Messages are encrypted only for signed devices. */
  isSigned: boolean;
  /** Its public key, for a comparison by eye. */
  fingerprint?: string;
}

type Listed = z.output<typeof listDevices.reply>['devices'][number];

export async function listOwnDevices({ machine, user, account }: Engine, call: Call): Promise<OwnDevice[]> {
  const { devices } = await call(listDevices, undefined);
  using known = await machine.getUserDevices(user(account));
  const keys = new Map(
    known.devices().map((device) => {
      const isSigned = device.isCrossSignedByOwner();
      const fingerprint = device.ed25519Key?.toBase64();
      const id = device.deviceId.toString();
      device.free();
      return [id, { isSigned, ...(fingerprint !== undefined && { fingerprint }) }];
    }),
  );
  return devices.map((device) => ({ ...device, ...(keys.get(device.id) ?? { isSigned: false }) }));
}

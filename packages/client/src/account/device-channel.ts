/** Transfers the account key from a device that has it to one that does not: both sides, without a screen. */
import * as contract from '@dostar/protocol/contract/device-transfer';
import type { DeviceTransfer } from '@dostar/protocol/contract/device-transfer';
import { AppError } from '@dostar/protocol/errors';
import type { AccountId } from '@dostar/protocol/ids';
import { systemClock } from '../lib/clock.ts';
import type { AuthDeps } from './auth.ts';
import { type Call, createCall } from './call.ts';
import { agree, commitTo, type TransferSecret, makeTransferKey } from './device-transfer.ts';

const POLL_INTERVAL_MS = 1_000;

export interface DeviceChannel {
  /**
   * Asks the other devices. Resolves once one has sent its key, or with undefined if one refused or none answered in
   * time. `onDigits` is called once with the digits to type on the other device.
   */
  ask(account: AccountId, onDigits: (digits: string) => void, signal: AbortSignal): Promise<ReceivedKey | undefined>;
  /** Answers a device that asks; resolves once that device has revealed its public key. Undefined if it gave up. */
  answer(account: AccountId, request: DeviceTransfer, signal: AbortSignal): Promise<KeyOffer | undefined>;
  refuse(request: DeviceTransfer): Promise<void>;
}

export interface ReceivedKey {
  /**
   * Returns the account key if the countersign is right. Until the person has read the countersign on the other screen,
   * the answer may come from the server or from a stolen session, with another key.
   */
  take(countersign: string): Uint8Array<ArrayBuffer> | undefined;
}

export interface KeyOffer {
  /** Sends the key if the digits are those of the asking screen, and returns the countersign to type there. */
  give(digits: string): Promise<string | undefined>;
}

export function createDeviceChannel(deps: AuthDeps): DeviceChannel {
  const call = createCall(deps);

  async function waitFor(
    id: string,
    isThere: (transfer: DeviceTransfer) => boolean,
    signal: AbortSignal,
  ): Promise<DeviceTransfer | undefined> {
    const clock = deps.clock ?? systemClock;
    while (!signal.aborted) {
      const transfer = await fetchTransfer(call, id);
      if (transfer === undefined || transfer.state === 'refused') return undefined;
      if (isThere(transfer)) return transfer;
      await clock.sleep(POLL_INTERVAL_MS, signal);
    }
    return undefined;
  }

  return {
    async ask(account, onDigits, signal) {
      const own = await makeTransferKey();
      const { id } = await call(contract.requestDeviceTransfer, { commitment: await commitTo(own.publicKey) });
      const answered = await waitFor(id, ({ giverKey }) => giverKey !== null, signal);
      if (!answered?.giverKey) return undefined;
      await call(contract.revealDeviceTransfer, { id, publicKey: own.publicKey });
      const secret = await agree(own, { account, askerKey: own.publicKey, giverKey: answered.giverKey });
      onDigits(secret.digits);
      const done = await waitFor(id, ({ sealed }) => sealed !== null, signal);
      const accountKey = done?.sealed ? await secret.open(done.sealed) : undefined;
      return accountKey && { take: (countersign) => (countersign === secret.countersign ? accountKey : undefined) };
    },

    async answer(account, request, signal) {
      const own = await makeTransferKey();
      const { id, commitment } = request;
      await call(contract.answerDeviceTransfer, { id, publicKey: own.publicKey });
      const shown = await waitFor(id, ({ askerKey }) => askerKey !== null, signal);
      if (!shown?.askerKey) return undefined;
      // The sender committed to another key: it chose this one after it had seen ours.
      if ((await commitTo(shown.askerKey)) !== commitment) throw new AppError('forbidden');
      const secret = await agree(own, { account, askerKey: shown.askerKey, giverKey: own.publicKey });
      return { give: (digits) => give(account, id, secret, digits) };
    },

    async refuse({ id }) {
      await call(contract.refuseDeviceTransfer, { id });
    },
  };

  async function give(account: AccountId, id: string, secret: TransferSecret, digits: string) {
    if (digits !== secret.digits) return undefined;
    const accountKey = await deps.keys.get(account);
    if (!accountKey) throw new AppError('forbidden');
    await call(contract.sealDeviceTransfer, { id, sealed: await secret.seal(accountKey, deps.random) });
    return secret.countersign;
  }
}

/** Undefined once the transfer has expired. */
async function fetchTransfer(call: Call, id: string): Promise<DeviceTransfer | undefined> {
  try {
    return await call(contract.getDeviceTransfer, { id });
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') return undefined;
    throw error;
  }
}

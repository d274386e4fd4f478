/** Decisions of the person about keys, from any tab: other tabs forward them to the leading tab. */
import { AppError } from '@dostar/protocol/errors';
import type { Clock } from '../../lib/clock.ts';
import type { KeyActions, KeyRing } from '../key-ring.ts';
import { createListeners } from '../../lib/listeners.ts';
import { createRpcClient, listenForEvents, type Port, sendEvent, serveRpc } from './port-rpc.ts';

export const KEY_ACTION_METHODS = [
  'identityOf',
  'acceptIdentity',
  'pinIdentity',
  'masterKeyOf',
  'listDevices',
  'listVerifications',
  'requestVerification',
  'acceptVerification',
  'startEmoji',
  'scanCode',
  'confirmVerification',
  'cancelVerification',
  'startFresh',
  'isVaultOverwritten',
  'restoreVault',
  'counts',
] as const satisfies readonly (keyof KeyActions)[];

type Ask = (method: string, ...args: unknown[]) => Promise<never>;

export function createKeyActions(ask: Ask): KeyActions {
  const methods = KEY_ACTION_METHODS.map((name) => [name, (...args: unknown[]) => ask(name, ...args)]);
  return Object.fromEntries(methods) as KeyActions;
}

/** A leading tab acknowledges at once; without an acknowledgement in this time there is none, or it is closing. */
const ACK_TIMEOUT_MS = 2_000;

export interface Channel extends Port {
  close(): void;
}

export interface CrossTabKeys extends KeyActions {
  /** Verifications, identities or the state of this device have changed. */
  onChange(listener: () => void): () => void;
}

interface CrossTabKeysDeps {
  /** Undefined where there can be no other tab. */
  channel: Channel | undefined;
  clock: Clock;
  newId: () => string;
}

/** Call `shareKeyRing` when this tab gets the key ring, and the function that it returns when this tab loses it. */
export function openCrossTabKeys({ channel, clock, newId }: CrossTabKeysDeps): {
  keyActions: CrossTabKeys;
  shareKeyRing(keyRing: KeyRing): () => void;
} {
  const changed = createListeners<void>();
  const ask = channel && createRpcClient(channel, { clock, newId, ackTimeoutMs: ACK_TIMEOUT_MS });
  let own: KeyRing | undefined;
  if (channel) listenForEvents(channel, () => changed.tell());

  async function answer(method: string, ...args: unknown[]): Promise<never> {
    try {
      if (own === undefined && ask !== undefined) return await ask(method, ...args);
    } catch (error) {
      // The leading tab is gone, and this tab leads now.
      if (!(error instanceof AppError && error.code === 'unavailable') || own === undefined) throw error;
    }
    if (own === undefined) throw new AppError('unavailable');
    const run = own[method as keyof KeyActions] as (...words: unknown[]) => Promise<never>;
    return run(...args);
  }

  return {
    keyActions: { ...createKeyActions(answer), onChange: changed.add },
    shareKeyRing(keyRing) {
      own = keyRing;
      const stops = [keyRing.onChange(() => changed.tell())];
      if (channel) {
        stops.push(
          serveRpc(channel, keyRing as never, KEY_ACTION_METHODS),
          keyRing.onChange(() => sendEvent(channel, 'change', undefined)),
        );
      }
      changed.tell();
      return () => {
        own = undefined;
        for (const stop of stops) stop();
      };
    },
  };
}

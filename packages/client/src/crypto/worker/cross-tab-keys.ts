/** What a person decides about keys, asked in any tab: those that do not lead ask the one that does. */
import { AppError } from '@dostar/protocol/errors';
import type { Clock } from '../../deps.ts';
import type { KeyDesk, KeyRing } from '../key-ring.ts';
import { createListeners } from '../../lib/listeners.ts';
import { createAsker, hearEvents, type Port, sendEvent, serveMethods } from './remote.ts';

export const DESK_METHODS = [
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
] as const satisfies readonly (keyof KeyDesk)[];

type Ask = (method: string, ...args: unknown[]) => Promise<never>;

export function createDesk(ask: Ask): KeyDesk {
  const methods = DESK_METHODS.map((name) => [name, (...args: unknown[]) => ask(name, ...args)]);
  return Object.fromEntries(methods) as KeyDesk;
}

/** A tab that leads answers at once; past this there is none, or it is just closing. */
const TAKEN_WITHIN_MS = 2_000;

export interface Channel extends Port {
  close(): void;
}

export interface TabDesk extends KeyDesk {
  /** Verifications, identities or the state of this device have changed. */
  onChange(listener: () => void): () => void;
}

interface TabDeskDeps {
  /** Undefined where no other tab can be. */
  channel: Channel | undefined;
  clock: Clock;
  newId: () => string;
}

/** `lead` is called when this tab has the key ring; what it returns, when it has it no more. */
export function openTabDesk({ channel, clock, newId }: TabDeskDeps): {
  desk: TabDesk;
  lead(ring: KeyRing): () => void;
} {
  const changed = createListeners<void>();
  const ask = channel && createAsker(channel, { clock, newId, takenWithinMs: TAKEN_WITHIN_MS });
  let own: KeyRing | undefined;
  if (channel) hearEvents(channel, () => changed.tell());

  async function answer(method: string, ...args: unknown[]): Promise<never> {
    try {
      if (own === undefined && ask !== undefined) return await ask(method, ...args);
    } catch (error) {
      // The leader has gone, and this tab has taken over meanwhile.
      if (!(error instanceof AppError && error.code === 'unavailable') || own === undefined) throw error;
    }
    if (own === undefined) throw new AppError('unavailable');
    const run = own[method as keyof KeyDesk] as (...words: unknown[]) => Promise<never>;
    return run(...args);
  }

  return {
    desk: { ...createDesk(answer), onChange: changed.add },
    lead(ring) {
      own = ring;
      const stops = [ring.onChange(() => changed.tell())];
      if (channel) {
        stops.push(
          serveMethods(channel, ring as never, DESK_METHODS),
          ring.onChange(() => sendEvent(channel, 'change', undefined)),
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

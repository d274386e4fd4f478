/**
 * Keys without an engine: each sealed body names a session and an index in it, and is decrypted if the session's key is
 * available. Other tests cover a real engine; these are about when keys arrive, and what happens then.
 */
import type { ArrivedKeys, KeyRing, SealedMessage } from '@dostar/client';
import { AppError } from '@dostar/protocol/errors';
import type { AccountId } from '@dostar/protocol/ids';
import { openClearKeyRing } from './clear-key-ring.ts';

export interface FakeKeys {
  /** Sessions whose key has not arrived. */
  missing: Set<string>;
  /** Accounts whose changed identity has not been accepted. */
  changed: Set<AccountId>;
  openKeyRing(): KeyRing;
  /** Notifies the client that keys have arrived. */
  arrive(arrived: ArrivedKeys): void;
  /** How many messages were sealed. */
  sealed: number;
}

interface Body {
  session: string;
  index: number;
  content: string;
}

/** Uses one session for everything, or one for each message by its number. */
export function createFakeKeys(stream: string | ((number: number) => string)): FakeKeys {
  const listeners = new Set<(arrived: ArrivedKeys) => void>();
  const keys: FakeKeys = {
    missing: new Set(),
    changed: new Set(),
    sealed: 0,
    arrive(arrived) {
      for (const listener of listeners) listener(arrived);
    },
    openKeyRing: () => ({
      ...openClearKeyRing(),
      async seal({ to, content }) {
        if (keys.changed.has(to)) throw new AppError('identity_changed');
        keys.sealed += 1;
        const session = typeof stream === 'string' ? stream : stream(keys.sealed);
        return { body: sealFake({ session, index: keys.sealed, content }), devices: { own: 0, peer: 0 } };
      },
      async open({ body }: SealedMessage) {
        const sealed = readFake(body);
        if (sealed === undefined) return { state: 'refused', reason: 'malformed' };
        if (keys.missing.has(sealed.session)) return { state: 'waiting', reason: 'key' };
        const content = Buffer.from(sealed.content, 'base64url');
        return { state: 'open', content, trust: 'known', session: sealed.session, index: sealed.index };
      },
      sessionOf: (body) => readFake(body)?.session,
      // While keys are missing, the search for them counts as running.
      counts: async () => ({ ...(await openClearKeyRing().counts()), isSeeking: keys.missing.size > 0 }),
      onKeys(listener) {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
      async acceptIdentity(account) {
        keys.changed.delete(account);
      },
    }),
  };
  return keys;
}

export function sealFake({ session, index, content }: Omit<Body, 'content'> & { content: Uint8Array }): Uint8Array {
  const body: Body = { session, index, content: Buffer.from(content).toString('base64url') };
  return Buffer.from(JSON.stringify(body));
}

function readFake(body: Uint8Array): Body | undefined {
  try {
    return JSON.parse(Buffer.from(body).toString()) as Body;
  } catch {
    return undefined;
  }
}

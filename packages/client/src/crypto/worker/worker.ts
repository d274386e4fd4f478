/**
 * Runs the engine in a worker of the leading tab, so that no key operation freezes the screen. This file has both
 * sides.
 */
import { AccountId } from '@dostar/protocol/ids';
import { z } from 'zod';
import { createKeyStore } from '../../account/key-store.ts';
import { systemClock } from '../../lib/clock.ts';
import type { ClientDeps } from '../../deps.ts';
import { createKeyRing } from '../create-key-ring.ts';
import { unpackEnvelope } from '../sealing/envelope.ts';
import { createKeyActions, KEY_ACTION_METHODS } from './cross-tab-keys.ts';
import type { KeyRing } from '../key-ring.ts';
import { createListeners } from '../../lib/listeners.ts';
import { createRpcClient, listenForEvents, type Port, sendEvent, serveRpc } from './port-rpc.ts';
import type { ArrivedKeys } from '../sealing/sealer.ts';

const Start = z.object({ t: z.literal('start'), account: AccountId, baseUrl: z.string() });

const KEY_RING_METHODS = [
  'openDevice',
  'receive',
  'seal',
  'open',
  'dropChatKey',
  'refreshDevices',
  'proveErasure',
  'isErasureGenuine',
  'nudge',
  'dispose',
  ...KEY_ACTION_METHODS,
];

interface EngineWorker extends Port {
  terminate(): void;
}

/** The page's side. */
export function openWorkerKeyRing(
  worker: EngineWorker,
  { account, baseUrl, log }: Pick<ClientDeps, 'account' | 'baseUrl' | 'log'>,
): KeyRing {
  const keys = createListeners<ArrivedKeys>();
  const renewals = createListeners<void>();
  const changed = createListeners<void>();
  let last = 0;
  const ask = createRpcClient(worker, { clock: systemClock, newId: () => String((last += 1)) });
  listenForEvents(worker, (name, value) => {
    if (name === 'keys') keys.tell(value as ArrivedKeys);
    if (name === 'renew') renewals.tell();
    if (name === 'change') changed.tell();
    if (name === 'log') log(...(value as Parameters<typeof log>));
  });
  worker.postMessage({ t: 'start', account, baseUrl } satisfies z.input<typeof Start>);
  return {
    openDevice: (device) => ask('openDevice', device),
    receive: (changes) => ask('receive', changes),
    seal: (message) => ask('seal', message),
    open: (message) => ask('open', message),
    sessionOf: (body) => unpackEnvelope(body)?.session,
    dropChatKey: (chat) => ask('dropChatKey', chat),
    refreshDevices: (accounts) => ask('refreshDevices', accounts),
    proveErasure: (message) => ask('proveErasure', message),
    isErasureGenuine: (message, proof) => ask('isErasureGenuine', message, proof),
    onKeys: keys.add,
    onRenew: renewals.add,
    onChange: changed.add,
    nudge: () => void ask('nudge'),
    ...createKeyActions(ask),
    async [Symbol.asyncDispose]() {
      await ask('dispose');
      worker.terminate();
    },
  };
}

/** The worker's side. */
export function serveKeyRing(page: Port): void {
  const stop = (): void => page.removeEventListener('message', onMessage);
  page.addEventListener('message', onMessage);

  function onMessage({ data }: { data: unknown }): void {
    const start = Start.safeParse(data).data;
    if (start === undefined) return;
    stop();
    const keyRing = createKeyRing({
      ...start,
      fetch: globalThis.fetch.bind(globalThis),
      clock: systemClock,
      random: (size) => crypto.getRandomValues(new Uint8Array(size)),
      indexedDB,
      IDBKeyRange,
      secrets: createKeyStore({ indexedDB, IDBKeyRange }),
      log: (event, fields) => sendEvent(page, 'log', [event, toCloneable(fields)]),
    });
    keyRing.onKeys((arrived) => sendEvent(page, 'keys', arrived));
    keyRing.onRenew(() => sendEvent(page, 'renew', undefined));
    keyRing.onChange(() => sendEvent(page, 'change', undefined));
    const methods = {
      ...keyRing,
      nudge: async () => keyRing.nudge(),
      dispose: () => keyRing[Symbol.asyncDispose](),
    };
    serveRpc(page, methods as never, KEY_RING_METHODS);
  }
}

/** Fields of a log entry, which a worker sends to its page: an Error becomes its message. */
function toCloneable(fields: Record<string, unknown> | undefined): Record<string, unknown> | undefined {
  if (fields === undefined) return undefined;
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, value instanceof Error ? value.message : value]),
  );
}

/** Every frame that a client may send, on the product's socket and on that of `/v1`. */
import { REALTIME_VERSION } from '@dostar/protocol/realtime';
import { listFrames } from '../isolation/contract.ts';
import { makeExample } from '../isolation/example.ts';
import type { Fixture } from './fixture-pool.ts';

export interface FrameTarget {
  name: string;
  socket: 'realtime' | 'v1';
  frame: (fixture: Fixture) => unknown;
}

const FILLS: Record<string, (fixture: Fixture) => object> = {
  resume: () => ({ v: REALTIME_VERSION, cursor: null, toDevice: null }),
  ack: () => ({ seq: 0 }),
  typing: ({ testAccounts }) => ({ to: testAccounts.friend.account }),
  watch: ({ testAccounts }) => ({ accounts: [testAccounts.friend.account] }),
};

const SERVICE_FRAMES: Record<string, (fixture: Fixture) => unknown> = {
  ping: () => undefined,
  authentication: ({ service }) => ({ session: service.secret }),
  subscribe: ({ service }) => [
    {
      subscriptionId: 'first',
      channels: ['account', 'documents', 'files', `databases.main.collections.things.documents.${service.document}`],
      queries: ['{"method":"equal","attribute":"text","values":["a thing"]}', '{"method":"select","values":["*"]}'],
    },
  ],
  unsubscribe: () => [{ subscriptionId: 'first' }],
};

export function listFrameTargets(): FrameTarget[] {
  const product = listFrames().map(({ name, schema }): FrameTarget => ({
    name: `frame ${name}`,
    socket: 'realtime',
    frame: (fixture) => ({ ...(makeExample(schema, name) as object), ...FILLS[name]?.(fixture) }),
  }));
  const service = Object.entries(SERVICE_FRAMES).map(([type, data]): FrameTarget => ({
    name: `/v1 frame ${type}`,
    socket: 'v1',
    frame: (fixture) => ({ type, data: data(fixture) }),
  }));
  return [...product, ...service];
}

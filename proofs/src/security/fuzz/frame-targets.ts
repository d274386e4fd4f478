/** Every frame that a client may say: on the product's socket and on that of `/v1`. */
import { REALTIME_VERSION } from '@dostar/protocol/realtime';
import { listFrames } from '../isolation/contract.ts';
import { makeExample } from '../isolation/example.ts';
import type { Scene } from './scene.ts';

export interface FrameTarget {
  name: string;
  socket: 'realtime' | 'v1';
  frame: (scene: Scene) => unknown;
}

const FILLS: Record<string, (scene: Scene) => object> = {
  resume: () => ({ v: REALTIME_VERSION, cursor: null, toDevice: null }),
  ack: () => ({ seq: 0 }),
  typing: ({ belongings }) => ({ to: belongings.friend.account }),
  watch: ({ belongings }) => ({ accounts: [belongings.friend.account] }),
};

const SERVICE_FRAMES: Record<string, (scene: Scene) => unknown> = {
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
    frame: (scene) => ({ ...(makeExample(schema, name) as object), ...FILLS[name]?.(scene) }),
  }));
  const service = Object.entries(SERVICE_FRAMES).map(([type, data]): FrameTarget => ({
    name: `/v1 frame ${type}`,
    socket: 'v1',
    frame: (scene) => ({ type, data: data(scene) }),
  }));
  return [...product, ...service];
}

import type { Bus } from '../../../../apps/server/src/platform/bus/bus.ts';

/** Publishes nothing: losing every hint may delay messages but must never lose one. */
export const silentBus: Bus = {
  isUp: true,
  publish() {},
  subscribe: () => Promise.resolve(() => {}),
  onReconnect: () => () => {},
  [Symbol.asyncDispose]: () => Promise.resolve(),
};

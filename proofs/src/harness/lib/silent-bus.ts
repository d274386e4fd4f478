import type { Bus } from '../../../../apps/server/src/platform/bus/bus.ts';

/** Publishes nothing: every hint is lost, which may delay but never lose. */
export const silentBus: Bus = {
  isUp: true,
  publish() {},
  subscribe: () => Promise.resolve(() => {}),
  onReconnect: () => () => {},
  [Symbol.asyncDispose]: () => Promise.resolve(),
};

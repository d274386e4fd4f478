import type { Bus } from '../../../../apps/server/src/platform/bus/bus.ts';

/** Rings nobody: every ring is lost, which may delay but never lose. */
export const silentBus: Bus = {
  isUp: true,
  publish() {},
  subscribe: () => Promise.resolve(() => {}),
  onReconnect: () => () => {},
  [Symbol.asyncDispose]: () => Promise.resolve(),
};

import { expect, inject, onTestFinished, test } from 'vitest';
import { connectBus } from '../src/platform/bus/bus.ts';
import { createLog } from '../src/platform/observability/log.ts';

test('publishing while a subscription is being closed is ignored and throws in no caller', async () => {
  const failures: unknown[] = [];
  const note = (error: unknown): void => void failures.push(error);
  process.on('uncaughtException', note);
  onTestFinished(() => void process.off('uncaughtException', note));
  const bus = await connectBus({ servers: [inject('natsUrl')] }, createLog('silent'));
  await bus.subscribe('late.>', () => {});
  // Publishes in every turn: the connection refuses messages only at the very end of its closing.
  const ringing = { isOver: false };
  void ringEachTurn();
  await bus[Symbol.asyncDispose]();
  ringing.isOver = true;
  expect(failures).toEqual([]);

  async function ringEachTurn(): Promise<void> {
    while (!ringing.isOver) {
      bus.publish('late.ring', 'nobody listens');
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
});

import { BYE_REASONS, ByeReason } from '@dostar/protocol/realtime';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { planReconnect } from './sync.ts';

const fraction = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

test('B3: no reconnect comes before the time the server asked for', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...ByeReason.options),
      fc.nat(600_000),
      fc.nat(20),
      fraction,
      (reason, afterMs, n, f) => {
        const { waitMs, isFirm } = planReconnect({ t: 'bye', reason, afterMs }, n, f);
        const isComingBack = ['soon', 'later'].includes(BYE_REASONS[reason].reconnect);
        expect([waitMs !== undefined, isFirm]).toEqual([isComingBack, isComingBack]);
        if (waitMs !== undefined) expect(waitMs).toBeGreaterThanOrEqual(afterMs);
      },
    ),
  );
});

test('after the first loss, the socket is opened again within half a second', () => {
  expect(planReconnect({ t: 'lost' }, 0, 0.999).waitMs).toBeLessThan(500);
  expect(planReconnect({ t: 'reset', epoch: 2 }, 0, 0.999).waitMs).toBeLessThan(500);
});

test('after a protocol error the wait is longer than after a lost connection', () => {
  const [protocol, lost] = [planReconnect({ t: 'protocol' }, 0, 0.5), planReconnect({ t: 'lost' }, 0, 0.5)];
  expect(protocol.waitMs).toBeGreaterThan(lost.waitMs ?? Infinity);
});

test('an ended session and an outdated version wait for the person', () => {
  expect(planReconnect({ t: 'bye', reason: 'signed_out', afterMs: 0 }, 0, 0)).toEqual({
    state: 'signed_out',
    isFirm: false,
  });
  expect(planReconnect({ t: 'bye', reason: 'version', afterMs: 0 }, 0, 0)).toEqual({
    state: 'outdated',
    isFirm: false,
  });
});

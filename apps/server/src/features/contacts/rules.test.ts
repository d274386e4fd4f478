import type { Decision } from '@dostar/protocol/contract/contacts';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { admit, decide, hear, STRANGER } from './rules.ts';
import type { Outcome, Side, Statement } from './rules.ts';

type Act =
  | { kind: 'decide'; who: 0 | 1; decision: Decision }
  /** The other uses an invite of `who`. */
  | { kind: 'admit'; who: 0 | 1 }
  /** Any statement ever made arrives, perhaps again. */
  | { kind: 'hear'; who: 0 | 1; pick: number };

const who = fc.constantFrom(0 as const, 1 as const);
const act: fc.Arbitrary<Act> = fc.oneof(
  fc.record({
    kind: fc.constant('decide' as const),
    who,
    decision: fc.constantFrom<Decision>('accept', 'decline', 'remove', 'block', 'unblock'),
  }),
  fc.record({ kind: fc.constant('admit' as const), who }),
  fc.record({ kind: fc.constant('hear' as const), who, pick: fc.nat(50) }),
);

/** Two sides and every statement between them, which may be lost, late and doubled until the last is delivered. */
class Pair {
  sides: [Side, Side] = [STRANGER, STRANGER];
  said: [Statement[], Statement[]] = [[], []];

  take(which: 0 | 1, outcome: Outcome | undefined): void {
    if (!outcome) return;
    this.sides[which] = outcome.side;
    if (outcome.says) this.said[which].push(outcome.says);
  }

  run(a: Act): void {
    const side = this.sides[a.who];
    if (a.kind === 'decide') return this.take(a.who, decide(side, a.decision));
    if (a.kind === 'admit') return this.take(a.who, admit(side));
    const theirs = this.said[other(a.who)];
    const statement = theirs[a.pick % Math.max(1, theirs.length)];
    if (statement) this.take(a.who, hear(side, statement, true));
  }

  /** The last statement of each side is never lost; answering may make another. */
  settle(): void {
    for (let round = 0; round < 4; round += 1) {
      for (const listener of [0, 1] as const) {
        const last = this.said[other(listener)].at(-1);
        if (last) this.take(listener, hear(this.sides[listener], last, true));
      }
    }
  }
}

function other(one: 0 | 1): 0 | 1 {
  return one === 0 ? 1 : 0;
}

function accepts({ state, beforeBlock }: Side): boolean {
  return state === 'accepted' || (state === 'blocked' && beforeBlock === 'accepted');
}

test('W3: whatever is lost, late or doubled, each side ends up knowing whether the other accepts it', () => {
  fc.assert(
    fc.property(fc.array(act, { maxLength: 60 }), (acts) => {
      const pair = new Pair();
      for (const a of acts) pair.run(a);
      pair.settle();
      for (const side of [0, 1] as const) {
        expect(pair.sides[side].peerAccepts).toBe(accepts(pair.sides[other(side)]));
      }
    }),
    { numRuns: 2_000 },
  );
});

test('W4: nothing but unblocking unblocks', () => {
  fc.assert(
    fc.property(fc.array(act, { maxLength: 60 }), (acts) => {
      const pair = new Pair();
      for (const a of acts) {
        const before = pair.sides[a.who].state;
        pair.run(a);
        const isUnblocking = a.kind === 'decide' && a.decision === 'unblock';
        if (before === 'blocked' && !isUnblocking) expect(pair.sides[a.who].state).toBe('blocked');
      }
    }),
    { numRuns: 2_000 },
  );
});

test('W2: two who add each other are contacts without anybody accepting', () => {
  const pair = new Pair();
  for (const side of [0, 1] as const) pair.run({ kind: 'decide', who: side, decision: 'accept' });
  pair.settle();
  for (const { state, peerAccepts } of pair.sides) expect([state, peerAccepts]).toEqual(['accepted', true]);
});

test('W2: a request that is declined stays declined, however often it is made again', () => {
  const pair = new Pair();
  pair.run({ kind: 'decide', who: 0, decision: 'accept' });
  pair.settle();
  expect(pair.sides[1].state).toBe('asked');
  pair.run({ kind: 'decide', who: 1, decision: 'decline' });
  for (const decision of ['remove', 'accept'] as const) pair.run({ kind: 'decide', who: 0, decision });
  pair.settle();
  expect(pair.sides[1].state).toBe('declined');
});

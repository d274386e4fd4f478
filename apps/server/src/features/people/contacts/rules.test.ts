import type { Decision } from '@dostar/protocol/contract/contacts';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { admit, decide, applyStatement, STRANGER } from './rules.ts';
import type { Transition, ContactSide, Statement } from './rules.ts';

type Act =
  | { kind: 'decide'; who: 0 | 1; decision: Decision }
  /** The other uses an invite of `who`. */
  | { kind: 'admit'; who: 0 | 1; isFirstUse: boolean }
  /** A pending statement to `who` is delivered, and deleted at some later time. */
  | { kind: 'tell'; who: 0 | 1; takesRequests: boolean }
  | { kind: 'strike'; who: 0 | 1 }
  /** Any statement ever made arrives, perhaps again. */
  | { kind: 'hear'; who: 0 | 1; pick: number; takesRequests: boolean };

const who = fc.constantFrom(0 as const, 1 as const);
/** `takesRequests`: whether strangers may ask, at each moment. */
function acts(takesRequests: fc.Arbitrary<boolean>): fc.Arbitrary<Act[]> {
  const act: fc.Arbitrary<Act> = fc.oneof(
    fc.record({
      kind: fc.constant('decide' as const),
      who,
      decision: fc.constantFrom<Decision>('accept', 'decline', 'remove', 'block', 'unblock'),
    }),
    fc.record({ kind: fc.constant('admit' as const), who, isFirstUse: fc.boolean() }),
    fc.record({ kind: fc.constant('tell' as const), who, takesRequests }),
    fc.record({ kind: fc.constant('strike' as const), who }),
    fc.record({ kind: fc.constant('hear' as const), who, pick: fc.nat(50), takesRequests }),
  );
  return fc.array(act, { maxLength: 60 });
}

/** Two sides and every statement between them, which may be lost, late and doubled until the last is delivered. */
class Pair {
  sides: [ContactSide, ContactSide] = [STRANGER, STRANGER];
  said: [Statement[], Statement[]] = [[], []];
  /** The last statement of each side until it is deleted, and what was delivered of it, applied or not. */
  pending: [Statement | undefined, Statement | undefined] = [undefined, undefined];
  told: [Statement | undefined, Statement | undefined] = [undefined, undefined];

  take(which: 0 | 1, outcome: Transition | undefined): void {
    if (!outcome) return;
    this.sides[which] = outcome.side;
    if (!outcome.says) return;
    this.said[which].push(outcome.says);
    this.pending[which] = outcome.says;
  }

  run(a: Act): void {
    const side = this.sides[a.who];
    if (a.kind === 'decide') return this.take(a.who, decide(side, a.decision));
    if (a.kind === 'admit') return this.take(a.who, admit(side, a.isFirstUse));
    if (a.kind === 'tell') return this.tell(a.who, a.takesRequests);
    if (a.kind === 'strike') return this.strike(a.who);
    const theirs = this.said[other(a.who)];
    const statement = theirs[a.pick % Math.max(1, theirs.length)];
    if (statement) this.take(a.who, applyStatement(side, statement, a.takesRequests));
  }

  tell(listener: 0 | 1, takesRequests: boolean): void {
    const pending = this.pending[other(listener)];
    if (!pending) return;
    this.told[other(listener)] = pending;
    this.take(listener, applyStatement(this.sides[listener], pending, takesRequests));
  }

  strike(listener: 0 | 1): void {
    const speaker = other(listener);
    if (this.pending[speaker]?.turn === this.told[speaker]?.turn) this.pending[speaker] = undefined;
  }

  /** The last statement of each side is never lost; answering may make another. */
  settle(takesRequests = true): void {
    for (let round = 0; round < 4; round += 1) {
      for (const listener of [0, 1] as const) {
        this.tell(listener, takesRequests);
        this.strike(listener);
      }
    }
    expect(this.pending).toEqual([undefined, undefined]);
  }
}

function other(one: 0 | 1): 0 | 1 {
  return one === 0 ? 1 : 0;
}

function accepts({ state, beforeBlock }: ContactSide): boolean {
  return state === 'accepted' || (state === 'blocked' && beforeBlock === 'accepted');
}

test('W3: whatever is lost, late or doubled, each side ends up knowing whether the other accepts it', () => {
  fc.assert(
    fc.property(acts(fc.constant(true)), (all) => {
      const pair = new Pair();
      for (const a of all) pair.run(a);
      pair.settle();
      for (const side of [0, 1] as const) {
        expect(pair.sides[side].peerAccepts).toBe(accepts(pair.sides[other(side)]));
      }
    }),
    { numRuns: 2_000 },
  );
});

test('W3: where requests go nowhere at times, each side that has ever accepted the other knows it all the same', () => {
  fc.assert(
    fc.property(acts(fc.boolean()), fc.boolean(), (all, takesRequests) => {
      const pair = new Pair();
      for (const a of all) pair.run(a);
      pair.settle(takesRequests);
      for (const side of [0, 1] as const) {
        const { turn, peerAccepts } = pair.sides[side];
        if (turn > 0) expect(peerAccepts).toBe(accepts(pair.sides[other(side)]));
      }
    }),
    { numRuns: 5_000 },
  );
});

test('W3: who adds a stranger in the moment in which they ask in vain is their contact', () => {
  const pair = new Pair();
  pair.run({ kind: 'decide', who: 0, decision: 'accept' });
  pair.run({ kind: 'tell', who: 1, takesRequests: false });
  pair.run({ kind: 'decide', who: 1, decision: 'accept' });
  pair.run({ kind: 'tell', who: 0, takesRequests: false });
  // Only now is the request deleted that was delivered in vain.
  pair.run({ kind: 'strike', who: 1 });
  pair.settle();
  for (const { state, peerAccepts } of pair.sides) expect([state, peerAccepts]).toEqual(['accepted', true]);
});

test('W4: nothing but unblocking unblocks', () => {
  fc.assert(
    fc.property(acts(fc.boolean()), (all) => {
      const pair = new Pair();
      for (const a of all) {
        const before = pair.sides[a.who].state;
        pair.run(a);
        const isUnblocking = a.kind === 'decide' && a.decision === 'unblock';
        if (before === 'blocked' && !isUnblocking) expect(pair.sides[a.who].state).toBe('blocked');
      }
    }),
    { numRuns: 2_000 },
  );
});

test('W2: two users who add each other are contacts without a request', () => {
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

import { AccountId, ChatId, MessageId } from '@dostar/protocol/ids';
import type { Entry, Register } from '@dostar/protocol/mailbox';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { type SyncPosition, readFrames } from './frames.ts';
import type { Received } from '../net/socket.ts';

const uuid = '00000000-0000-4000-8000-000000000000';
const NOTHING: SyncPosition = { epoch: 0, seq: 0, rev: 0 };
const LIVE: SyncPosition = { epoch: 1, seq: 5, rev: 3, goal: 5 };

test('R2: entries after resumed are taken in order and move the cursor', () => {
  const result = readFrames(NOTHING, [resumed(2), entry(1), entry(2)]);
  expect(result.ending).toBeUndefined();
  expect(result.batch).toMatchObject({ epoch: 1, seq: 2, isCaughtUp: true });
  expect(result.batch?.entries.map(({ seq }) => seq)).toEqual([1, 2]);
});

test('R2: a gap ends the connection, and the entries before it are kept', () => {
  const result = readFrames(LIVE, [entry(6), entry(8), entry(9)]);
  expect(result.ending).toEqual({ t: 'protocol' });
  expect(result.batch).toMatchObject({ seq: 6 });
});

test('R3: an entry this device has is dropped', () => {
  const result = readFrames(LIVE, [entry(4), entry(5)]);
  expect(result).toEqual({ position: LIVE, keys: [] });
});

test.each<[string, Received]>([
  ['an entry', entry(1)],
  ['a register', { t: 'register', register: { key: 'k', rev: 1 } }],
  ['a count of registers', { t: 'registers', rev: 1 }],
])('R1: %s before resumed is out of place', (_, frame) => {
  expect(readFrames(NOTHING, [frame])).toEqual({ position: NOTHING, keys: [], ending: { t: 'protocol' } });
});

test("C1: `resumed` in another epoch than the cursor's is a protocol error", () => {
  expect(readFrames({ epoch: 2, seq: 5, rev: 0 }, [resumed(9)]).ending).toEqual({ t: 'protocol' });
});

test('C3: `reset` names the epoch of the new reading', () => {
  expect(readFrames({ epoch: 1, seq: 5, rev: 0 }, [{ t: 'reset', epoch: 2 }]).ending).toEqual({ t: 'reset', epoch: 2 });
});

test('C4: registers are kept as they arrive, and the `registers` frame moves their cursor', () => {
  const register: Register = { key: 'delivered/x', rev: 9, mark: 1 };
  const early = readFrames(LIVE, [{ t: 'register', register }]);
  expect(early.batch).toMatchObject({ registers: [register], rev: 3 });
  expect(readFrames(LIVE, [{ t: 'registers', rev: 9 }]).batch).toMatchObject({ rev: 9 });
});

test('a `bye` ends the connection, and frames after it are ignored', () => {
  const result = readFrames(LIVE, [entry(6), { t: 'bye', reason: 'restart', afterMs: 70 }, entry(7)]);
  expect(result.ending).toEqual({ t: 'bye', reason: 'restart', afterMs: 70 });
  expect(result.batch).toMatchObject({ seq: 6 });
});

test('a frame that does not parse ends the connection', () => {
  expect(readFrames(LIVE, [{ t: 'unreadable' }]).ending).toEqual({ t: 'protocol' });
});

test('it is caught up at the end that `resumed` named', () => {
  const first = readFrames(NOTHING, [resumed(2), entry(1)]);
  expect(first.batch?.isCaughtUp).toBe(false);
  expect(readFrames(first.position, [entry(2)]).batch?.isCaughtUp).toBe(true);
  expect(readFrames(NOTHING, [resumed(0)]).batch?.isCaughtUp).toBe(true);
});

test('R2, R3: with any repeated, cut or skipped frames, the cursor covers exactly the accepted entries', () => {
  const seqs = fc.array(fc.integer({ min: 1, max: 12 }), { maxLength: 30 });
  fc.assert(
    fc.property(seqs, fc.nat(5), (arriving, start) => {
      let position: SyncPosition = { epoch: 1, seq: start, rev: 0, goal: 12 };
      const taken: number[] = [];
      for (const seq of arriving) {
        const result = readFrames(position, [entry(seq)]);
        taken.push(...(result.batch?.entries.map((one) => one.seq) ?? []));
        if (result.ending !== undefined) break;
        position = result.position;
      }
      expect(taken).toEqual(Array.from({ length: taken.length }, (_, index) => start + 1 + index));
      expect(position.seq).toBe(start + taken.length);
    }),
  );
});

function resumed(seq: number): Received {
  return { t: 'resumed', cursor: { epoch: 1, seq, rev: 0 } };
}

function entry(seq: number): Received & { entry: Entry } {
  const head = { sender: AccountId.parse(uuid), id: MessageId.parse(uuid), chat: ChatId.parse(uuid), at: 0 };
  return { t: 'entry', entry: { kind: 'mail', seq, ...head, body: 'AA' } };
}

/**
 * A history: actions of several concurrent clients through several processes, and of an operator meanwhile.
 *
 * Each actor does one action after the other; actors run concurrently. Actions refer to small numbers (the third
 * message between two people, the second process), so that repeats and collisions are frequent and shrinking works.
 */
import * as fc from 'fast-check';

export const PEOPLE = 5;
export const PROCESSES = 3;
/** The first two people share a bucket, the next two another one, so that one append locks several rows of a bucket. */
export const BUCKET_OF_PERSON = [0, 0, 1, 1, 2] as const;
export const VALUE_KEYS = 2;
const KEYS = 3;

/** Where a process dies during a send: between the writes to the two shards, or after both and before the answer. */
export type Crash = 'none' | 'between' | 'after';

interface Slot {
  from: number;
  to: number;
  slot: number;
}

export type Action =
  | ({ kind: 'send'; bytes: number; process: number; crash: Crash } & Slot)
  | ({ kind: 'race'; tries: number } & Slot)
  | { kind: 'burst'; from: number; count: number; to: number | 'everybody'; process: number | 'all' }
  | ({ kind: 'erase'; reach: 'everywhere' | 'sender' | 'recipient'; process: number; crash: Crash } & Slot)
  | { kind: 'contact'; owner: number; peer: number; state: 'accepted' | 'blocked'; process: number }
  | { kind: 'register'; owner: number; key: number; content: number; process: number }
  | { kind: 'page'; person: number; limit: number; process: number }
  | { kind: 'registers'; person: number; process: number }
  | { kind: 'ack'; person: number; process: number }
  | { kind: 'connect'; person: number; process: number; rewind: number }
  | { kind: 'disconnect'; person: number }
  | { kind: 'compare'; process: number }
  | { kind: 'settle'; process: number }
  | { kind: 'pause'; ms: number }
  | { kind: 'move'; bucket: number; diesAfter: number | null }
  | { kind: 'epoch'; shard: number }
  | { kind: 'cut'; database: number };

export interface History {
  seed: number;
  /** Pairs that are not accepted contacts at the beginning. */
  relations: { owner: number; peer: number; state: 'stranger' | 'blocked' }[];
  actors: Action[][];
  operator: Action[];
}

const person = fc.nat(PEOPLE - 1);
const process = fc.nat(PROCESSES - 1);
const slot = { from: person, to: person, slot: fc.nat(2) };
const crash = fc.constantFrom<Crash>('none', 'none', 'none', 'between', 'after');

function kind<K extends string>(name: K): fc.Arbitrary<K> {
  return fc.constant(name);
}

const clientAction: fc.Arbitrary<Action> = fc.oneof(
  { weight: 10, arbitrary: fc.record({ kind: kind('send'), bytes: fc.nat(2), process, crash, ...slot }) },
  { weight: 3, arbitrary: fc.record({ kind: kind('race'), tries: fc.integer({ min: 2, max: 4 }), ...slot }) },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: kind('burst'),
      from: person,
      count: fc.integer({ min: 2, max: 8 }),
      to: fc.oneof(person, fc.constant('everybody' as const)),
      process: fc.oneof(process, fc.constant('all' as const)),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: kind('erase'),
      reach: fc.constantFrom('everywhere' as const, 'sender' as const, 'recipient' as const),
      process,
      crash,
      ...slot,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: kind('contact'),
      owner: person,
      peer: person,
      state: fc.constantFrom('accepted' as const, 'blocked' as const),
      process,
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: kind('register'),
      owner: fc.nat(1),
      key: fc.nat(KEYS - 1),
      content: fc.nat(9),
      process,
    }),
  },
  { weight: 5, arbitrary: fc.record({ kind: kind('page'), person, limit: fc.integer({ min: 1, max: 6 }), process }) },
  { weight: 2, arbitrary: fc.record({ kind: kind('registers'), person, process }) },
  { weight: 2, arbitrary: fc.record({ kind: kind('ack'), person, process }) },
  { weight: 3, arbitrary: fc.record({ kind: kind('connect'), person, process, rewind: fc.nat(3) }) },
  { weight: 1, arbitrary: fc.record({ kind: kind('disconnect'), person }) },
  { weight: 1, arbitrary: fc.record({ kind: kind('compare'), process }) },
  { weight: 1, arbitrary: fc.record({ kind: kind('settle'), process }) },
  { weight: 1, arbitrary: fc.record({ kind: kind('pause'), ms: fc.integer({ min: 1, max: 4 }) }) },
);

/** The process of every fourth move dies at some statement; the operator then starts the move again. */
const diesAfter = fc.oneof({ weight: 3, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: fc.nat(45) });

const operatorAction: fc.Arbitrary<Action> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: kind('move'), bucket: fc.nat(2), diesAfter }) },
  { weight: 1, arbitrary: fc.record({ kind: kind('epoch'), shard: fc.nat(1) }) },
  { weight: 1, arbitrary: fc.record({ kind: kind('cut'), database: fc.nat(2) }) },
  { weight: 2, arbitrary: fc.record({ kind: kind('pause'), ms: fc.integer({ min: 1, max: 15 }) }) },
);

export const histories: fc.Arbitrary<History> = fc.record({
  seed: fc.nat(),
  relations: fc.array(
    fc.record({ owner: person, peer: person, state: fc.constantFrom('stranger' as const, 'blocked' as const) }),
    { maxLength: 4 },
  ),
  actors: fc.array(fc.array(clientAction, { minLength: 1, maxLength: 24 }), { minLength: 1, maxLength: 5 }),
  operator: fc.array(operatorAction, { maxLength: 5 }),
});

export function describeHistory(history: History): string {
  const actors = history.actors.map((actions, index) => `  client ${index}: ${actions.map(describeAction).join('; ')}`);
  const relations = history.relations.map(({ owner, peer, state }) => `${peer} is ${state} to ${owner}`);
  return [
    ...(relations.length > 0 ? [`  at first: ${relations.join(', ')}`] : []),
    ...actors,
    ...(history.operator.length > 0 ? [`  operator: ${history.operator.map(describeAction).join('; ')}`] : []),
  ].join('\n');
}

function describeAction({ kind: name, ...rest }: Action): string {
  const words = Object.entries(rest).filter(([key, value]) => value !== null && !(key === 'crash' && value === 'none'));
  return `${name}(${words.map(([key, value]) => `${key} ${value}`).join(', ')})`;
}

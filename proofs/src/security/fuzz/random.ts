/** Random choices that repeat with the same seed. */
import { seededRandom } from '../../harness/lib/seeded-random.ts';

export interface Random {
  /** A whole number from 0 up to but not including `below`. */
  below(below: number): number;
  /** True with this probability. */
  chance(share: number): boolean;
  pick<T>(from: readonly T[]): T;
}

/** Each input has its own generator, so that it can be reproduced without the inputs before it. */
export function randomFor(seed: number, index: number): Random {
  const next = seededRandom(Math.imul(seed ^ 0x5bd1e995, 0x9e3779b1) ^ Math.imul(index + 1, 0x85ebca6b));
  const below = (limit: number): number => Math.floor(next() * limit);
  return { below, chance: (share) => next() < share, pick: (from) => from[below(from.length)]! };
}

export function shuffle<T>(random: Random, list: readonly T[]): T[] {
  const shuffled = [...list];
  for (let at = shuffled.length - 1; at > 0; at -= 1) {
    const other = random.below(at + 1);
    [shuffled[at], shuffled[other]] = [shuffled[other]!, shuffled[at]!];
  }
  return shuffled;
}

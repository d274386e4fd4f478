import type { Verification } from '@dostar/client';

/** What a person sees of a verification's phases. */
export type Step = 'asked' | 'waiting' | 'ready' | 'comparing' | 'scanned' | 'confirmed' | 'done' | 'cancelled';

export function stepOf({ phase, weStarted }: Pick<Verification, 'phase' | 'weStarted'>): Step {
  if (phase === 'asked') return weStarted ? 'waiting' : 'asked';
  // The pictures are being made: the same wait as for the other side's word.
  return phase === 'starting' ? 'confirmed' : phase;
}
